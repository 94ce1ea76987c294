import { describe, expect, it } from "vitest";
import { roundsOf } from "../../bench/benchmark.mjs";
import { readOptions } from "../../bench/options.mjs";

const NAMES = ["ours", "floor", "naive"];
const read = (...args: string[]) => readOptions(args, NAMES);

describe("a run without options", () => {
  it("is a full one, and writes the document", () => {
    expect(read()).toMatchObject({ sizes: [10, 100, 1000], rounds: 3, only: NAMES, write: true });
  });
});

describe("a smaller run", () => {
  it.each([["--sizes=10"], ["--rounds=3"], ["--only=ours"]])("with %s leaves the document alone", (arg) => {
    expect(read(arg).write).toBe(false);
  });

  it("writes the document where it is told to", () => {
    expect(read("--sizes", "10", "--write").write).toBe(true);
  });

  it("takes sizes in order, each once, and candidates in the order in which they run", () => {
    expect(read("--sizes", "30,10,30", "--only", "floor,ours")).toMatchObject({
      sizes: [10, 30],
      only: ["ours", "floor"],
    });
  });
});

it.each([
  [["--sizes", "10,x"], '"x" is not a number above 0.'],
  [["--rounds", "0"], '"0" is not a number above 0.'],
  [["--only", "theirs"], "There is no candidate theirs"],
  [["--size", "10"], "--size"],
])("%j is refused", (args, says) => {
  expect(() => read(...args)).toThrow(says);
});

it("naive runs one round at sizes where a round takes many minutes", () => {
  expect(roundsOf("naive", 1000, 3)).toBe(1);
  expect(roundsOf("naive", 100, 3)).toBe(3);
  expect(roundsOf("ours", 1000, 3)).toBe(3);
});
