import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Attempt, askedWait, retryDecision } from "../../../provider/api/retry";
import { some } from "../../model/sizes";

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
    ["3600", 3_600_000],
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

const attempts: fc.Arbitrary<Attempt> = fc.record({
  method: fc.constantFrom("GET", "POST", "PUT", "DELETE"),
  count: fc.integer({ min: 1, max: 20 }),
  outcome: fc.oneof(
    fc.constantFrom<Attempt["outcome"]>("unsent", "untrusted", "lost", 429, 503, 500, 502, 504),
    fc.integer({ min: 200, max: 599 }),
  ),
  asked: fc.option(fc.integer({ min: 1, max: 300_000 }), { nil: undefined }),
  maxWait: fc.integer({ min: 0, max: 200_000 }),
});
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const always = (law: (attempt: Attempt, random: number) => void) =>
  fc.assert(fc.property(attempts, random, law), { numRuns: some(5000) });

test.each(["POST", "DELETE"] as const)(
  "a %s is sent again only where it never left or was turned away",
  (method) =>
    always((attempt, chance) => {
      const decision = retryDecision({ ...attempt, method }, chance);
      if ("again" in decision && decision.again) expect(["unsent", 429]).toContain(attempt.outcome);
    }),
);

test("no wait is longer than 20 s, or is what the service asks for to the millisecond, or is refused by naming it", () => {
  always((attempt, chance) => {
    const decision = retryDecision(attempt, chance);
    const { asked, maxWait, count, outcome } = attempt;
    if (asked !== undefined && [429, 503].includes(outcome as number) && count < 7)
      expect(decision).toMatchObject(asked > maxWait ? { stop: true, tooLong: asked } : { wait: asked });
    if (!("wait" in decision)) return;
    expect(decision.wait).toBeGreaterThanOrEqual(0);
    if (decision.wait !== asked) expect(decision.wait).toBeLessThanOrEqual(20_000);
    else expect(decision.wait).toBeLessThanOrEqual(Math.max(maxWait, 20_000));
  });
});

test("jitter is over all of the doubled base, and over half of it if the service throttles, and proportional to chance", () =>
  always((attempt, chance) => {
    const decision = retryDecision({ ...attempt, asked: undefined }, chance);
    if (!("wait" in decision)) return;
    const isThrottled = attempt.outcome === 429;
    const base = Math.min(20_000, (isThrottled ? 1000 : 250) * 2 ** (attempt.count - 1));
    expect(decision.wait).toBeCloseTo(isThrottled ? (base / 2) * (1 + chance) : chance * base, 6);
  }));

test("it always ends: after the seventh attempt where the service throttles, after the fourth elsewhere", () => {
  always((attempt, chance) => {
    if (attempt.count >= 7) expect(retryDecision(attempt, chance)).toEqual(stop);
    const isThrottled = [429, 503].includes(attempt.outcome as number);
    if (attempt.count >= 4 && !isThrottled) expect(retryDecision(attempt, chance)).toEqual(stop);
  });
  expect(decided({ outcome: "lost", count: 3 })).toEqual({ wait: 500, again: true });
  expect(decided({ outcome: "lost", count: 4 })).toEqual(stop);
  expect(decided({ outcome: 503, count: 4 })).toEqual(stop);
  expect(decided({ outcome: 429, count: 6 })).toEqual({ wait: 15_000, again: true });
  expect(decided({ outcome: 429, count: 7 })).toEqual(stop);
});
