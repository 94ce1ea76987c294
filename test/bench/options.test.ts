import { describe, expect, it } from "vitest";
import { readOptions } from "../../bench/options.mjs";

const NAMES = ["ours", "floor", "naive"];
const read = (...args: string[]) => readOptions(args, NAMES);

describe("a run without options", () => {
  it("is a full one, and writes the document", () => {
    const { rounds, ...rest } = read();
    expect(rest).toEqual({ sizes: [10, 100, 300, 1000], settings: 300, only: NAMES, write: true });
    expect(rest.sizes.map(rounds)).toEqual([5, 5, 3, 3]);
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

it("has as many rounds as it is told, at every size", () => {
  expect([10, 1000].map(read("--rounds", "2").rounds)).toEqual([2, 2]);
});
