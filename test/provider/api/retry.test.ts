import { describe, expect, test } from "vitest";
import { type Attempt, askedWait, retryDecision } from "../../../provider/api/retry";

const now = Date.parse("2026-03-01T12:00:00Z");
const first: Attempt = { method: "GET", count: 1, outcome: 200, maxWait: 120_000 };
const decided = (attempt: Partial<Attempt>, random = 0.5) => retryDecision({ ...first, ...attempt }, random);
const stop = { stop: true };

describe("the wait that an answer asks for", () => {
  const NOON = "Sun, 01 Mar 2026 12:00:00 GMT";
  test.each<[string, number | undefined]>([
    ["7", 7000],
    [" 7 ", 7000],
    ["1.5", 1500],
    ["1.25", 1250],
    ["Sun, 01 Mar 2026 12:00:30 GMT", 30_000],
    ["99999999999", 99_999_999_999_000],
    ...["0", "Sun, 01 Mar 2026 11:59:30 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"].map(none),
    ...["", "  ", "-5", "+5", "soon", "NaN", "Infinity", "1e3", "0x10", "7,8", "5 seconds"].map(none),
  ])("by Retry-After %j is %j ms", (header, expected) => {
    expect(askedWait({ "retry-after": header }, now)).toBe(expected);
    // By the service's own clock, however wrong ours is.
    expect(askedWait({ "retry-after": header, date: NOON }, now - 3_600_000)).toBe(expected);
    expect(askedWait({ "retry-after": header, "x-ratelimit-reset": "9" }, now)).toBe(expected ?? 9000);
  });
  test.each<[string, number | undefined]>([
    ["12", 12_000],
    [String(now / 1000 + 12), 12_000],
    ...["0", String(now / 1000 - 12), "soon", "-5"].map(none),
  ])("by X-RateLimit-Reset %j is %j ms", (header, expected) => {
    expect(askedWait({ "x-ratelimit-reset": header }, now)).toBe(expected);
    expect(askedWait({ "x-ratelimit-reset": header, date: NOON }, 0)).toBe(expected);
  });

  function none(header: string): [string, undefined] {
    return [header, undefined];
  }
});

describe("after the first attempt", () => {
  const again = { wait: 125, again: true };
  const waits = (wait: number, again = true) => ({ wait, again });
  test.each<[Attempt["outcome"], number | undefined, object, object]>([
    // outcome, the wait that is asked for, what a GET or PUT does, what a POST or DELETE does
    ["unsent", undefined, again, again],
    ["lost", undefined, again, stop],
    ["untrusted", undefined, stop, stop],
    [429, undefined, waits(750), waits(750)],
    [429, 3000, waits(3000), waits(3000)],
    [429, 121_000, { stop: true, tooLong: 121_000 }, { stop: true, tooLong: 121_000 }],
    [429, 120_000, waits(120_000), waits(120_000)],
    [503, 3000, waits(3000), waits(3000, false)],
    [503, undefined, again, stop],
    [500, undefined, again, stop],
    [500, 3000, again, stop],
    [502, undefined, again, stop],
    [504, undefined, again, stop],
    [501, undefined, stop, stop],
    ...[200, 201, 301, 302, 400, 401, 403, 404, 408, 409, 422].map(
      (status): [number, undefined, object, object] => [status, undefined, stop, stop],
    ),
  ])("%s that asks for %s ms", (outcome, asked, forGet, forPost) => {
    for (const method of ["GET", "PUT"] as const) expect(decided({ method, outcome, asked })).toEqual(forGet);
    for (const method of ["POST", "DELETE"] as const)
      expect(decided({ method, outcome, asked })).toEqual(forPost);
  });
});

test("waits double from attempt to attempt, up to 20 s, and chance spreads them over all, or over half where the service throttles", () => {
  const waits = (outcome: Attempt["outcome"], counts: number[], random: number) =>
    counts.map((count) => decided({ outcome, count }, random)).map((each) => "wait" in each && each.wait);
  expect(waits("lost", [1, 2, 3], 0)).toEqual([0, 0, 0]);
  expect(waits("lost", [1, 2, 3], 0.5)).toEqual([125, 250, 500]);
  expect(waits(429, [1, 2, 5, 6], 0)).toEqual([500, 1000, 8000, 10_000]);
  expect(waits(429, [1, 2, 5, 6], 0.5)).toEqual([750, 1500, 12_000, 15_000]);
});

test("it always ends: after the seventh attempt where the service throttles, after the fourth elsewhere", () => {
  for (const outcome of ["unsent", "lost", 500, 503] as const) {
    expect(decided({ outcome, count: 3 })).toMatchObject({ again: true });
    for (const count of [4, 20]) expect(decided({ outcome, count })).toEqual(stop);
  }
  for (const [outcome, asked] of [[429], [429, 3000], [503, 3000]] as const) {
    expect(decided({ outcome, asked, count: 6 })).toMatchObject({ again: true });
    for (const count of [7, 20]) expect(decided({ outcome, asked, count })).toEqual(stop);
  }
});
