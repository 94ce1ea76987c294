import { expect, test } from "vitest";
import { fromStruct, toStruct } from "../../../../provider/hosts/native/values";
import { FILE_LINES } from "../../../../provider/schema/resource";

test("a program's arguments come with the lines of a file of declarations, and without what is for a host", () => {
  const args = { domain: "shop.example", [FILE_LINES]: ["tracking.yaml:1:1: a", "tracking.yaml:2:1: b"] };
  // Classes of an earlier release send options too.
  expect(fromStruct(toStruct({ ...args, __options: { deleteBeforeReplace: true } }))).toEqual(args);
});
