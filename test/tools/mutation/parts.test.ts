import { readdir } from "node:fs/promises";
import picomatch from "picomatch";
import { expect, it } from "vitest";
import { parts } from "../../../tools/mutation/parts.mjs";

/** Files that only import, or only type, and so have nothing to change. */
const empty = ["lifecycle/index", "lifecycle/context", "lookups/index"];

/** The TypeScript files below a folder, without their ending. */
async function below(folder: string, ending: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true });
  return all.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length));
}

it("has every file of the provider in one part, and no more", async () => {
  const files = (await below("provider", ".ts")).filter((file) => !empty.includes(file));
  const places = files.map((file) => [
    file,
    Object.values(parts).filter(({ mutate }) => picomatch.isMatch(file, [...mutate])).length,
  ]);
  expect(places.filter(([, count]) => count !== 1)).toEqual([]);
});

it("has tests for every part", async () => {
  const tests = await below("test/provider", ".test.ts");
  for (const { tests: patterns } of Object.values(parts))
    expect(tests.some((test) => picomatch.isMatch(test, [...patterns]))).toBe(true);
});
