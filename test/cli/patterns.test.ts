import { expect, test } from "vitest";
import { selectionOf } from "../../cli/patterns";
import { HIDDEN } from "../../cli/pulumi/hidden";
import { pixel, website } from "../../provider/resources";

const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

test("a record is selected by its kind and by its domain or name, and one whose key a preview does not show is not left out", () => {
  const isSelected = selectionOf({ only: "websites", match: ["a.*"], exclude: ["*.test"] });
  const keys = ["a.example", "a.test", "b.example", "ab.example", HIDDEN, UNKNOWN, undefined];
  expect(keys.map((key) => isSelected(website, key))).toEqual([true, false, false, false, true, true, true]);
  expect(keys.filter((key) => isSelected(pixel, key))).toEqual([]);
  expect(selectionOf({})(pixel, "Ads")).toBe(true);
});
