import { describe, expect, it } from "vitest";
import { percentage, scores } from "../../../tools/mutation/score.mjs";

const mutants = (fileName: string, ...statuses: string[]) => statuses.map((status) => ({ fileName, status }));

describe("the score of a file", () => {
  it("counts what a test noticed, also by not ending, and what none did or reached", () => {
    const all = [...mutants("a", "Killed", "Timeout", "Survived", "NoCoverage"), ...mutants("b", "Killed")];
    expect(scores(all)).toEqual({
      a: { noticed: 2, survived: 1, unreached: 1 },
      b: { noticed: 1, survived: 0, unreached: 0 },
    });
  });

  it("leaves out what could not be run, or is excused", () => {
    const all = mutants("a", "CompileError", "RuntimeError", "Ignored", "Killed");
    expect(scores(all)).toEqual({ a: { noticed: 1, survived: 0, unreached: 0 } });
  });
});

describe("the percentage", () => {
  const score = (noticed: number, survived: number, unreached = 0) => ({ noticed, survived, unreached });

  it("is of all files together", () => expect(percentage([score(8, 1, 1), score(10, 0)])).toBe(90));
  it("is not rounded up to a goal", () => expect(percentage([score(8999, 1001)])).toBe(89.9));
  it("is whole where there is nothing to notice", () => expect(percentage([])).toBe(100));
});
