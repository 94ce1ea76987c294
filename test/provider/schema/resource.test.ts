import { expect, test } from "vitest";
import { pixel, website } from "../../../provider/resources";
import { isUnknown, noun, UNKNOWN } from "../../../provider/schema/resource";

test("a resource is called for people by its type in small letters", () =>
  expect([noun(website), noun(pixel)]).toEqual(["website", "pixel"]));

test("a value is unknown, or has something unknown in it", () => {
  expect([UNKNOWN, [UNKNOWN], ["a", UNKNOWN]].map(isUnknown)).toEqual([true, true, true]);
  expect(["a", ["a"], [], null, undefined, {}].map(isUnknown)).toEqual(Array(6).fill(false));
});
