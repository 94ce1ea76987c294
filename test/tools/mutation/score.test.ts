import { describe, expect, it } from "vitest";
import { percentage, scores } from "../../../tools/mutation/score.mjs";

const mutants = (fileName: string, ...statuses: string[]) => statuses.map((status) => ({ fileName, status }));

describe("the score of a file", () => {
  it("counts mutants that a test detected, even by a timeout, that survived, and that no test covers", () => {
    const all = [...mutants("a", "Killed", "Timeout", "Survived", "NoCoverage"), ...mutants("b", "Killed")];
    expect(scores(all)).toEqual({
      a: { noticed: 2, survived: 1, unreached: 1 },
      b: { noticed: 1, survived: 0, unreached: 0 },
    });
  });

  it("leaves out mutants that could not run or are excluded", () => {
    const all = mutants("a", "CompileError", "RuntimeError", "Ignored", "Killed");
    expect(scores(all)).toEqual({ a: { noticed: 1, survived: 0, unreached: 0 } });
  });
});

describe("the percentage", () => {
  const score = (noticed: number, survived: number, unreached = 0) => ({ noticed, survived, unreached });

  it("is of all files together", () => expect(percentage([score(8, 1, 1), score(10, 0)])).toBe(90));
  it("is not rounded up to a goal", () => expect(percentage([score(8999, 1001)])).toBe(89.9));
  it("is 100 if there are no mutants", () => expect(percentage([])).toBe(100));
});
