import { describe, expect, test } from "vitest";
import { ApiError, linesOf, reasonOf } from "../../../provider/api/api";
import { describeFailure, describeRecord, explainFailure } from "../../../provider/lifecycle/errors";
import { website } from "../../../provider/resources";
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
  test("is described: which record, what failed, why, by which request, and on a line of its own what to do", () => {
    const error = new ApiError(put, "rejected", "odd (400)", { advice: "check it" });
    const title = 'website "shop.example" (id 7) can\'t be updated: odd (400) [PUT /api/v1/websites/7]';
    const failure = describeFailure({ ...subject, id: "7" }, "updated", error);
    expect(failure).toMatchObject({ message: `${title}. Check it` });
    expect(linesOf(failure)).toEqual([title, "Check it"]);
  });
  test("names the program's arguments, and ends with what helps", () => {
    const fields = { email: "odd", unheard_of: "x" };
    const error = new ApiError(put, "rejected", "no", { fields });
    expect(describeFailure(subject, "updated", error, ["Look there"]).message).toBe(
      'website "shop.example" can\'t be updated (emailReports): no [PUT /api/v1/websites/7]. Look there',
    );
  });
  test("keeps an error of our own as it is", async () => {
    const error = new TypeError("our fault");
    expect(describeFailure(subject, "updated", error)).toBe(error);
    expect(await rejection(explainFailure(subject, "read", () => Promise.reject(error)))).toBe(error);
  });
});

test("a reason is the clause alone, the words of an error, or what was thrown", () => {
  expect(reasonOf(new ApiError(put, "rejected", "odd"))).toBe("odd");
  expect(reasonOf(new Error("words"))).toBe("words");
  expect(reasonOf("thrown")).toBe("thrown");
});
