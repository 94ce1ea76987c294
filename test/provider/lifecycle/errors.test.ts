import { describe, expect, test } from "vitest";
import { ApiError, reasonOf } from "../../../provider/api/api";
import {
  assertSame,
  describeFailure,
  describeRecord,
  NEW_IDS,
  withContext,
} from "../../../provider/lifecycle/errors";
import { website } from "../../../provider/resources";
import { decode, type RemoteRecord } from "../../../provider/schema/codec";
import { UNKNOWN } from "../../../provider/schema/resource";
import { rejection } from "../../rejection";

const shop = { domain: "shop.example" };
const subject = { resource: website, values: shop };
const put = { method: "PUT", path: "/api/v1/websites/7" } as const;

describe("a record is named", () => {
  test.each<[string, object, string | undefined, string]>([
    ["by its key and its id", shop, "7", 'website "shop.example" (id 7)'],
    ["by its key where it has no id yet", shop, undefined, 'website "shop.example"'],
    ["by its id where its key is not known", {}, "7", "website (id 7)"],
    ["by its kind where a preview can't know its key", { domain: UNKNOWN }, undefined, "website"],
  ])("%s", (_, values, id, expected) =>
    expect(describeRecord({ resource: website, values: { ...values }, id })).toBe(expected),
  );
});

describe("a failed exchange", () => {
  test("is told in one sentence: which record, what failed, why, and by which request", () => {
    const error = new ApiError(put, "rejected", "odd (400)");
    expect(describeFailure({ ...subject, id: "7" }, "updated", error).message).toBe(
      'website "shop.example" (id 7) can\'t be updated: odd (400) [PUT /api/v1/websites/7]',
    );
  });
  test("names the program's arguments, and ends with what helps", () => {
    const fields = { email: "odd", unheard_of: "x" };
    const error = new ApiError(put, "rejected", "no", { fields });
    expect(describeFailure(subject, "updated", error, "look there").message).toBe(
      'website "shop.example" can\'t be updated (emailReports, unheard_of): no; look there [PUT /api/v1/websites/7]',
    );
  });
  test("keeps an error of our own as it is", async () => {
    const error = new TypeError("our fault");
    expect(describeFailure(subject, "updated", error)).toBe(error);
    expect(await rejection(withContext(subject, "read", () => Promise.reject(error)))).toBe(error);
  });
});

describe("an id that is another record's", () => {
  const meeting = (found: RemoteRecord) => () =>
    assertSame({ resource: website, values: shop, id: "7" }, shop, found, () => "check the key", "read");
  test("is reported with both names, and with the advice", () => {
    expect(meeting({ id: "7", values: { domain: "theirs.example" } })).toThrow(
      'the website with id 7 is "theirs.example" on the service, and "shop.example" in state, so nothing was ' +
        `changed. First check the key. If this is the right account, "${NEW_IDS}" gives each resource the record that the program declares for it`,
    );
  });
  test.each([{}, { domain: null }, { domain: { name: "shop" } }])(
    "may be this one if its key can't be read: %j",
    (raw) =>
      expect(meeting(decode(website, { id: 7, ...raw }))).toThrow(
        'the service sent no domain that can be read for the website with id 7. Whether it is still "shop.example" is unknown, so nothing was changed',
      ),
  );
});

test("a reason is the clause alone, the words of an error, or what was thrown", () => {
  expect(reasonOf(new ApiError(put, "rejected", "odd"))).toBe("odd");
  expect(reasonOf(new Error("words"))).toBe("words");
  expect(reasonOf("thrown")).toBe("thrown");
});
