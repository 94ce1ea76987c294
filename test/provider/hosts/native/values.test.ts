import { expect, test } from "vitest";
import { FILE_LINES, OPTIONS } from "../../../../provider/hosts/marshal";
import { fileLinesOf, fromStruct, optionsOf, toStruct } from "../../../../provider/hosts/native/values";

test("what a class tells check alone is read, and is no argument", () => {
  const lines = { file: "tracking.yaml" };
  const struct = toStruct({
    domain: "shop.example",
    [OPTIONS]: { deleteBeforeReplace: true },
    [FILE_LINES]: lines,
  });
  expect(optionsOf(struct)).toEqual({ deleteBeforeReplace: true });
  expect(fileLinesOf(struct)).toEqual(lines);
  expect(fromStruct(struct)).toEqual({ domain: "shop.example" });
});

test("programs in other languages tell nothing", () => {
  const struct = toStruct({ domain: "shop.example" });
  expect([optionsOf(struct), fileLinesOf(struct), optionsOf(undefined)]).toEqual([{}, undefined, {}]);
});
