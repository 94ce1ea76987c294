import { expect, test } from "vitest";
import { FILE_LINES } from "../../../../provider/hosts/marshal";
import { fileLinesIn, fromStruct, toStruct } from "../../../../provider/hosts/native/values";

test("what a file of declarations tells check alone is read, and is no argument", () => {
  const lines = ["tracking.yaml:1:1: a", "tracking.yaml:2:1: b"];
  const args = { domain: "shop.example" };
  // Classes of an earlier release send options too.
  const struct = toStruct({ ...args, __options: { deleteBeforeReplace: true }, [FILE_LINES]: lines });
  expect(fileLinesIn(struct)).toEqual(lines);
  expect(fromStruct(struct)).toEqual(args);
});

test("programs in other languages have no such lines", () => {
  for (const struct of [toStruct({ domain: "shop.example" }), undefined])
    expect(fileLinesIn(struct)).toBeUndefined();
});
