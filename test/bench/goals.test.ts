import { describe, expect, it } from "vitest";
import { Figures } from "../../bench/figures.mjs";
import { GOALS, type Report } from "../../bench/goals.mjs";
import type { MeasuredRun } from "../../bench/measure.mjs";
import { ran, sent } from "./runs";

const CONSTANT = `exports.handler = () => require("pulumi-tracking/host").Website`;

function report(told: Partial<Report> = {}, runs: MeasuredRun[] = []): Report {
  return { figures: new Figures(runs), states: [], ...told };
}

function judge(what: string, of: Report) {
  const found = GOALS.filter((goal) => goal.what.startsWith(what));
  expect(found, what).toHaveLength(1);
  return found[0]?.judge(of);
}

function state(bytes: number, ...providers: string[]): Report["states"][number] {
  return { candidate: "ours", size: 10, state: { bytes, providers } };
}

it("a goal that was not measured is not met", () => {
  expect(GOALS.map(({ judge }) => judge(report()))).toEqual(GOALS.map(() => undefined));
});

it("every goal has its own name", () => {
  expect(new Set(GOALS.map(({ what }) => what)).size).toBe(GOALS.length);
});

describe("the provider's text", () => {
  it("must be short", () => {
    expect(judge("`__provider`", report({ states: [state(1, CONSTANT)] }))?.met).toBe(true);
    expect(judge("`__provider`", report({ states: [state(1, "x".repeat(81))] }))?.met).toBe(false);
  });

  it("must be the same at every size", () => {
    const met = judge(
      "`__provider`",
      report({ states: [state(1, CONSTANT), state(1, `${CONSTANT};`)] }),
    )?.met;
    expect(met).toBe(false);
  });

  it("is judged only in this package's state", () => {
    const naive = { ...state(9000, "x".repeat(5000)), candidate: "naive" };
    expect(judge("`__provider`", report({ states: [state(1, CONSTANT), naive] }))?.met).toBe(true);
    expect(judge("state of a website", report({ states: [state(1000), naive] }))?.met).toBe(true);
  });
});

it("the state is judged by its largest size", () => {
  expect(judge("state of a website", report({ states: [state(1500)] }))?.met).toBe(true);
  expect(judge("state of a website", report({ states: [state(1501), state(1200)] }))?.met).toBe(false);
  expect(judge("state of a pixel", report({ pixels: { bytes: 1301, providers: [] } }))?.met).toBe(false);
});

describe("goals about time", () => {
  const took = (candidate: string, wallMs: number, operation = "up", size = 1000) =>
    ran({ candidate, wallMs, operation, size });

  it.each([
    ["`up` of 1,000, compared with naive", "up", "naive", 500, true],
    ["`up` of 1,000, compared with naive", "up", "naive", 499, false],
    ["`up` of 1,000, compared with the floor", "up", "floor", 91, true],
    ["`up` of 1,000, compared with the floor", "up", "floor", 90, false],
    ["`preview` of 1,000", "preview", "floor", 96, true],
    ["`preview` of 1,000", "preview", "floor", 95, false],
  ])("%s: %s in 100 ms where %s takes %i", (what, operation, other, ms, met) => {
    const runs = [1, 2, 3].flatMap(() => [took("ours", 100, operation), took(other, ms, operation)]);
    expect(judge(what, report({}, runs))?.met).toBe(met);
  });

  it("are decided only where all rounds agree, and there are three", () => {
    const rounds = (...floors: number[]) =>
      judge(
        "`up` of 1,000, compared with the floor",
        report(
          {},
          floors.flatMap((ms) => [took("ours", 100), took("floor", ms)]),
        ),
      );
    expect(rounds(100, 100, 95)).toEqual({ measured: "1.00 × (1.00 to 1.05)", met: true });
    expect(rounds(100, 100, 80)).toEqual({ measured: "1.00 × (1.00 to 1.25)", met: undefined });
    expect(rounds(100, 100)?.met).toBeUndefined();
  });

  it("are for 1,000 websites, and not judged at other sizes", () => {
    const runs = [took("ours", 100, "up", 10), took("naive", 900, "up", 10)];
    expect(judge("`up` of 1,000, compared with naive", report({}, runs))).toBeUndefined();
  });

  it("count a refresh that had to be stopped as missed", () => {
    const paced = { size: 1000, ms: 9000, finished: true, requests: 12 };
    expect(judge("`refresh` of 1,000", report({ paced }))?.met).toBe(true);
    expect(judge("`refresh` of 1,000", report({ paced: { ...paced, ms: 15_000 } }))?.met).toBe(false);
    const stopped = judge("`refresh` of 1,000", report({ paced: { ...paced, finished: false } }));
    expect(stopped).toEqual({ measured: "stopped after 9.0 s, 12 requests", met: false });
  });

  it("count loading the host without the time of an empty module", () => {
    const host = { ms: 151, emptyMs: 2, eager: [] };
    expect(judge("loading the host", report({ host }))?.met).toBe(true);
    expect(judge("loading the host", report({ host: { ...host, emptyMs: 0 } }))?.met).toBe(false);
    expect(judge("`got` and `zod`", report({ host: { ...host, eager: ["zod"] } }))?.met).toBe(false);
  });
});

it("memory may also grow as much as got itself does", () => {
  const rounds = [1, 2, 3].flatMap(() => [
    ran({ size: 1000, peakBytes: 140e6 }),
    ran({ size: 1000, candidate: "floor", peakBytes: 100e6 }),
    ran({ candidate: "bare", peakBytes: 60e6 }),
    ran({ size: 1000, candidate: "bare", peakBytes: 80e6 }),
  ]);
  const outcome = { measured: "140 MB against 100 MB, and 20 MB", met: true };
  expect(judge("peak memory", report({}, rounds))).toEqual(outcome);
});

it("memory may be a tenth and 10 MB more than the floor's", () => {
  const runs = (ours: number) =>
    [1, 2, 3].flatMap(() => [
      ran({ size: 1000, peakBytes: ours }),
      ran({ size: 1000, candidate: "floor", peakBytes: 100e6 }),
    ]);
  expect(judge("peak memory", report({}, runs(120e6)))?.met).toBe(true);
  expect(judge("peak memory", report({}, runs(121e6)))?.met).toBe(false);
});

describe("goals about requests", () => {
  it("are held at every size", () => {
    const good = ran({ requests: sent({ POST: 10, list: 1 }) });
    const bad = ran({ size: 30, requests: sent({ POST: 31, list: 1 }) });
    const what = "requests of `up`, everything new";
    expect(judge(what, report({}, [good]))).toEqual({ measured: "1 list + 10 POST for 10", met: true });
    expect(judge(what, report({}, [good, bad]))).toEqual({ measured: "1 list + 31 POST for 30", met: false });
  });

  it("judge this package only", () => {
    const naive = ran({ candidate: "naive", operation: "refresh", requests: sent({ look: 10 }) });
    expect(judge("requests of `refresh`", report({}, [naive]))).toBeUndefined();
  });
});
