import { expect, test } from "vitest";
import { fromStruct, toStruct } from "../../../../provider/hosts/native/values";

test("a program's arguments come without what is for a host", () => {
  const args = { domain: "shop.example", excludeIps: ["192.0.2.1"] };
  // Classes of an earlier release send options too.
  expect(fromStruct(toStruct({ ...args, __options: { deleteBeforeReplace: true } }))).toEqual(args);
});
