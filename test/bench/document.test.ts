import { describe, expect, it } from "vitest";
import { documentOf } from "../../bench/document.mjs";
import { Figures } from "../../bench/figures.mjs";
import { GOALS } from "../../bench/goals.mjs";
import { ran, sent } from "./runs";

const circumstances = {
  machine: [["Node.js", "20.0.0"]] as const,
  command: "npm run bench -- --sizes 10",
};

function written(...runs: ReturnType<typeof ran>[]): string {
  return documentOf({ figures: new Figures(runs), states: [] }, circumstances);
}

/** The cells of the rows that begin so. */
function rows(text: string, start: string): string[][] {
  const found = text.split("\n").filter((line) => line.startsWith(`| ${start} |`));
  return found.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe("the document", () => {
  it("says of every goal whether it is met, missed or not measured", () => {
    const text = written(
      ran({ requests: sent({ POST: 10 }) }),
      ran({ operation: "preview", requests: sent({ look: 1 }) }),
    );
    for (const { what } of GOALS) expect(text).toContain(`| ${what} |`);
    expect(rows(text, "requests of `up`, everything new")[0]?.at(-1)).toBe("met");
    expect(rows(text, "requests of `preview`, nothing to do")[0]?.at(-1)).toBe("**missed**");
    expect(rows(text, "state of a pixel")[0]?.slice(-2)).toEqual(["not measured", ""]);
  });

  it("gives times as multiples of the floor's", () => {
    const text = written(ran({ wallMs: 3000 }), ran({ candidate: "floor", wallMs: 2000 }));
    expect(rows(text, "`up`, everything new")[0]).toEqual([
      "`up`, everything new",
      "3.0 s (1.50 ×)",
      "2.0 s (1.00 ×)",
    ]);
  });

  it("gives times alone where the floor was left out, and no time where none was measured", () => {
    const text = written(ran({ cpuMs: undefined, peakBytes: undefined, writtenBytes: undefined }));
    const [wall, cpu, , volumes] = rows(text, "`up`, everything new");
    expect(wall?.[1]).toBe("1.0 s");
    expect(cpu?.[1]).toBe("–");
    expect(volumes?.[1]).toBe("–, –");
  });

  it("says which candidates were left out, how many rounds there were, and how far they lie apart", () => {
    const text = written(ran({ wallMs: 900 }), ran(), ran({ wallMs: 1300 }));
    expect(text).toContain("(3 at 10)");
    expect(rows(text, "`up`, everything new")[0]?.[1]).toBe("1.0 s, 0.9 to 1.3");
    expect(rows(text, "floor")[0]?.[1]).toContain("left out of this run");
    expect(rows(text, "ours")[0]?.[1]).not.toContain("left out");
  });

  it("says where a run was stopped, so that not everything has as many rounds", () => {
    const text = written(ran(), ran(), ran({ operation: "preview" }));
    expect(text).toContain("(1 to 2 at 10)");
  });

  it("names the command and what it ran with", () => {
    const text = written(ran());
    expect(text).toContain("`npm run bench -- --sizes 10`");
    expect(text).toContain("| Node.js | 20.0.0 |");
  });

  it("has the same number of cells in every row of a table", () => {
    const lines = written(ran(), ran({ candidate: "bare", operation: "refresh" })).split("\n");
    for (const [at, line] of lines.entries()) {
      const before = lines[at - 1];
      if (line.startsWith("|") && before?.startsWith("|"))
        expect(line.split("|").length, line).toBe(before.split("|").length);
    }
  });
});
