import { expect, test } from "vitest";
import { FILE_LINES, OPTIONS } from "../../../../provider/hosts/marshal";
import { declarationOf, fromStruct, toStruct } from "../../../../provider/hosts/native/values";

test("what a class tells check alone is read, and is no argument", () => {
  const lines = { file: "tracking.yaml" };
  const struct = toStruct({
    domain: "shop.example",
    [OPTIONS]: { deleteBeforeReplace: true },
    [FILE_LINES]: lines,
  });
  const args = { domain: "shop.example" };
  expect(declarationOf(struct)).toEqual({ args, options: { deleteBeforeReplace: true }, lines });
  expect(fromStruct(struct)).toEqual(args);
});

test("programs in other languages tell nothing", () => {
  const args = { domain: "shop.example" };
  expect(declarationOf(toStruct(args))).toEqual({ args, options: {}, lines: undefined });
  expect(declarationOf(undefined)).toEqual({ args: {}, options: {}, lines: undefined });
});
