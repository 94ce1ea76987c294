import { expect, it } from "vitest";
import type { MeasuredRun } from "../../bench/measure.mjs";
import { goals, growthPage, page } from "../../bench/page.mjs";

/** Three rounds of `up` of each candidate at two sizes, in seconds. */
const SECONDS = {
  ours: [5, 6, 7],
  native: [6, 7, 8],
  floor: [4, 5, 6],
  bare: [1, 1, 1],
  naive: [20, 20, 20],
};

const runs: MeasuredRun[] = [10, 100].flatMap((size) =>
  Object.entries(SECONDS).flatMap(([candidate, seconds]) =>
    seconds.map((each) => ({
      candidate,
      size,
      operation: "up",
      wallMs: each * 1000,
      cpuMs: each * 2000,
      peakBytes: candidate === "ours" ? 200e6 : 100e6,
      requests: { list: 1, look: 0, POST: size, PUT: 0, DELETE: 0 },
    })),
  ),
);
const report = { runs, machine: [["commit", "abc1234"] as const] };

it("the page has a table for each size, ours against the floor and bare together, and the requests", () => {
  const text = page(report, "npm run bench");
  expect(text.match(/^## .*/gm)).toEqual(["## 10 websites", "## 100 websites"]);
  const row = text.split("\n").findLast((line) => line.startsWith("| `up`, everything new"));
  expect(row?.split(" | ")).toEqual([
    "| `up`, everything new",
    "6.0 (5.0 to 7.0)",
    "7.0 (6.0 to 8.0)",
    "5.0 (4.0 to 6.0)",
    "1.0 (1.0 to 1.0)",
    "20.0 (20.0 to 20.0)",
    "1.00 (1.00 to 1.00)",
    "1.17 (1.14 to 1.20)",
    "1.00 (1.00 to 1.00)",
    "1 list + 100 POST |",
  ]);
  expect(text).toContain("| commit | abc1234 |");
});

it("a goal is met if the median of its rounds meets it", () => {
  const outcome = Object.fromEntries(goals(report).map(([what, , , met]) => [what, met]));
  expect(outcome).toMatchObject({
    "time of every operation, ours and native": "**missed**",
    "`up` of 100": "met",
    requests: "met",
    "peak memory, `up`": "**missed**",
  });
});

it("a goal that the measured candidates say nothing of is left out", () => {
  const ours = runs.filter(({ candidate }) => candidate === "ours" || candidate === "floor");
  const text = page({ ...report, runs: ours }, "npm run bench");
  expect(text).not.toContain("NaN");
  expect(text).toContain("ours 200 MB, floor 100 MB");
});

it("the part on growth sets each operation's largest size against its smallest", () => {
  const grown = [100, 200, 300].flatMap((size) =>
    [1, 2, 9].flatMap((cpuMs) => [
      { size, operation: "create", cpuMs: (cpuMs * size) / 100, requests: 1 },
      { size, operation: "refresh", cpuMs, requests: 0.01 },
    ]),
  );
  const rows = growthPage(grown, report, "npm run bench").split("\n");
  expect(rows).toContain("| create | 2.000 | 4.000 | 6.000 | 3.00 **missed** | 1.00 |");
  expect(rows).toContain("| refresh | 2.000 | 2.000 | 2.000 | 1.00 | 0.01 |");
});
