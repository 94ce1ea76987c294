import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { PartialFailure, update } from "../../../provider/lifecycle";
import { website } from "../../../provider/resources";
import { listening } from "../../listening";
import { rejection } from "../../rejection";
import { run } from "../harness";

type Row = Record<string, string | number | null>;
type Answer = { status: number; body: object };
const FLAGS = ["privacy", "email", "exclude_bots"];

/** A service with one website, whose PUT is answered so; and the forms that it was sent. */
async function serverOf(put: (row: Row, form: Row) => Answer | undefined, name?: string) {
  const row: Row = { id: 1, domain: "shop.example", privacy: 1, email: 1, exclude_bots: 1 };
  const forms: Row[] = [];
  const wrap = (data: object) => (name === undefined ? { data } : { [name]: data });
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    let answer: Answer | undefined;
    if (request.method === "PUT") {
      const form: Row = Object.fromEntries(
        [...new URLSearchParams(body)].map(([key, value]) => [
          key,
          FLAGS.includes(key) ? Number(value) : value,
        ]),
      );
      forms.push(form);
      answer = put(row, form);
    }
    const list = request.url?.includes("?");
    answer ??= {
      status: 200,
      body: list ? (name === undefined ? { data: [row] } : { [`${name}s`]: [row] }) : wrap(row),
    };
    response
      .writeHead(answer.status, { "content-type": "application/json" })
      .end(JSON.stringify(answer.body));
  });
  const at = run(website, `http://127.0.0.1:${await listening(server)}`);
  return { row, forms, at };
}
const olds = { domain: "shop.example", privacy: "private", emailReports: true, excludeBots: true };
const news = { ...olds, privacy: "public" };
const store = (row: Row, form: Row) => void Object.assign(row, form);

describe("an update of one field", () => {
  test("where the service keeps what it is not sent is one request, and no look at the record after it", async () => {
    const { forms, at, row } = await serverOf(store);
    expect(await update(at, "1", olds, news)).toEqual(news);
    expect([forms, row]).toMatchObject([[{ privacy: 0 }], { email: 1 }]);
  });

  test("where the service resets what it is sent a part of, and says so, sends all of it once more", async () => {
    const { forms, at, row } = await serverOf((record, form) =>
      store(record, Object.keys(form).length > 1 ? form : { privacy: 1, email: 0, exclude_bots: 0 }),
    );
    expect(await update(at, "1", olds, news)).toEqual(news);
    expect(forms).toEqual([{ privacy: 0 }, { privacy: 0, email: 1, exclude_bots: 1 }]);
    expect(row).toMatchObject({ privacy: 0, email: 1, exclude_bots: 1 });
  });

  test("where the service changes another field for good, is reported, and is not in state", async () => {
    const { forms, at } = await serverOf((record, form) => {
      store(record, { ...form, email: 0 });
      return undefined;
    });
    const error = (await rejection(update(at, "1", olds, news))) as PartialFailure;
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.message).toContain("emailReports: sent true, stored false");
    expect(forms).toHaveLength(2);
    // So that the next update has something to do.
    expect(error.state).not.toEqual(news);
  });

  test.each<[number, unknown, RegExp]>([
    [422, { privacy: ["no"] }, /can't be updated \(privacy\)/],
    [403, "no", /can't be updated: /],
  ])("where the service refuses with %s and %j, is sent once", async (status, message, says) => {
    const { forms, at } = await serverOf(() => ({ status, body: { message } }));
    expect((await rejection(update(at, "1", olds, news))).message).toMatch(says);
    expect(forms).toHaveLength(1);
  });
});

describe.each<[object, string?]>([
  [{ message: "updated" }],
  [{ msg: "ok", id: 1, domain: "shop.example" }, "privacy"],
  [{ data: { id: 2, domain: "shop.example", privacy: 0, email: 1, exclude_bots: 1 } }, "id 2"],
  [{ success: false, message: "Not in this plan.", data: { id: 1, privacy: 0 } }, "Not in this plan."],
])("an update that is answered with %j", (body, words = "") => {
  test("is done if the record, read again, has it", async () => {
    const { at, row } = await serverOf((record, form) => {
      store(record, form);
      return { status: 200, body };
    });
    expect(await update(at, "1", olds, news)).toEqual(news);
    expect(row).toMatchObject({ privacy: 0 });
  });
  test("is not done if it has not", async () => {
    const { at } = await serverOf(() => ({ status: 200, body }));
    const error = await rejection(update(at, "1", olds, news));
    expect(error).toBeInstanceOf(PartialFailure);
    expect(error.message).toContain(words);
  });
});

test("records and lists may come under their name", async () => {
  const { at } = await serverOf(store, "website");
  expect(await at.records.fetch("1")).toMatchObject({ id: "1", values: { domain: "shop.example" } });
  expect(await at.records.findByKey("shop.example")).toMatchObject([{ id: "1" }]);
  expect(await update(at, "1", olds, news)).toEqual(news);
});
