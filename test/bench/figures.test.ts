import { describe, expect, it } from "vitest";
import { Figures, median, ratio } from "../../bench/figures.mjs";
import { ran, sent } from "./runs";

describe("a median", () => {
  it("is the middle value, in any order", () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([100, 9, 11, 1])).toBe(10);
    expect(median([7])).toBe(7);
  });

  it("ignores missing values, and is undefined without any", () => {
    expect(median([undefined, 3, undefined])).toBe(3);
    expect(median([undefined])).toBeUndefined();
    expect(median([])).toBeUndefined();
  });
});

it("a ratio is undefined if either value is", () => {
  expect(ratio(6, 4)).toBe(1.5);
  expect(ratio(undefined, 4)).toBeUndefined();
  expect(ratio(6, undefined)).toBeUndefined();
  expect(ratio(6, 0)).toBeUndefined();
});

describe("figures", () => {
  it("are the medians of the rounds, for each measure", () => {
    const figures = new Figures([
      ran({ wallMs: 1, cpuMs: 30 }),
      ran({ wallMs: 2, cpuMs: 10 }),
      ran({ wallMs: 9, cpuMs: 20 }),
    ]);
    expect(figures.at("ours", 10, "up")).toMatchObject({ rounds: 3, wallMs: 2, cpuMs: 20 });
  });

  it("keep the maximum of requests, because these are exact", () => {
    const rounds = [sent({ POST: 10, list: 1 }), sent({ POST: 11 }), sent({ POST: 10 })];
    const figures = new Figures(rounds.map((requests) => ran({ requests })));
    expect(figures.at("ours", 10, "up")?.requests).toEqual(sent({ POST: 11, list: 1 }));
  });

  it("keep candidates, sizes and operations apart", () => {
    const figures = new Figures([ran(), ran({ candidate: "floor", size: 100, operation: "refresh" })]);
    expect(figures.at("floor", 100, "refresh")?.rounds).toBe(1);
    expect(figures.at("floor", 10, "refresh")).toBeUndefined();
    expect(figures.candidates).toEqual(["ours", "floor"]);
    expect(figures.sizes).toEqual([10, 100]);
  });

  it("have no memory if it was not measured", () => {
    const figures = new Figures([ran({ peakBytes: undefined, cpuMs: undefined })]);
    expect(figures.at("ours", 10, "up")).toMatchObject({ peakBytes: undefined, cpuMs: undefined });
  });
});
