import { describe, expect, test } from "vitest";
import { type Request, UnexpectedAnswer } from "../../../provider/api/api";
import { parseList, parseRecord } from "../../../provider/records/envelope";

const get: Request = { method: "GET", path: "/api/v1/websites/5" };
const place = "GET /api/v1/websites/5";

/** Holds that an answer is refused, by a message that ends so. */
function expectNone(read: () => unknown, words: string): void {
  expect(read).toThrow(UnexpectedAnswer);
  const message = `${place}: the service${words}`;
  expect(read).toThrow(
    expect.objectContaining({ message, details: expect.objectContaining({ status: 200 }) }),
  );
}

describe("a record", () => {
  const record = (text: string) => parseRecord(get, { status: 200, body: JSON.parse(text) });
  test.each<[string, object]>([
    ['{"data":{}}', {}],
    ['{"id":5,"domain":"a"}', { id: 5, domain: "a" }],
    ['{"id":5,"data":{"id":6}}', { id: 6 }],
  ])("of %s is found", (text, expected) => expect(record(text)).toEqual(expected));
  test.each(["[]", '[{"id":5}]', '{"data":[]}', '{"data":[{"id":5}]}'])("is not a list: %s", (text) => {
    expectNone(() => record(text), " answered with a list instead of one record; is the base URL right?");
  });
  test.each(["{}", "5", "null", '"text"', '{"data":null}', '{"domain":"a"}', '{"data":"x"}'])(
    "is not in %s",
    (text) => expectNone(() => record(text), " answered without a record"),
  );
});

describe("a list", () => {
  const list = (text: string) => parseList(get, { status: 200, body: JSON.parse(text) });
  test.each<[string, number | undefined, number | undefined]>([
    ['[{"id":1}]', undefined, undefined],
    ['{"data":[{"id":1}],"meta":{"last_page":"3","total":"250"}}', 3, 250],
    ['{"data":[{"id":1}],"last_page":2,"total":0}', 2, 0],
    ['{"data":{"data":[{"id":1}],"last_page":2}}', 2, undefined],
    ['{"data":[{"id":1}],"meta":{"last_page":0}}', undefined, undefined],
    ['{"data":[{"id":1}],"meta":{"last_page":"many","total":1.5}}', undefined, undefined],
    ['{"data":[{"id":1}],"meta":{"last_page":true,"total":[5]}}', undefined, undefined],
  ])("is found in %s with what is said of the whole", (text, lastPage, total) =>
    expect(list(text)).toEqual({ records: [{ id: 1 }], lastPage, total }),
  );
  test.each(["{}", "5", "null", '{"data":{}}', '{"data":{"id":5}}', '{"data":null}', '{"items":[]}'])(
    "is not in %s",
    (text) => expectNone(() => list(text), " answered without a list; is the base URL right?"),
  );
  test.each(["[5]", '{"data":[{"id":1},null]}', '{"data":{"data":[[]]}}'])(
    "has records only, unlike %s",
    (text) => expectNone(() => list(text), "'s list has entries that are no records; is the base URL right?"),
  );
});
