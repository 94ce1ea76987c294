import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { promises } from "../../../tools/mutation/promises.mjs";

describe.each(promises)("the promise of $promise, where $change", ({ file, code, instead, test }) => {
  it("can be broken: the code is there, once", async () => {
    expect((await readFile(file, "utf8")).split(code)).toHaveLength(2);
    expect(instead).not.toBe(code);
  });

  it("has a test that is there", async () => expect(await readFile(test, "utf8")).toContain("expect("));
});
