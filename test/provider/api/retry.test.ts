import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Attempt, retryAfter, retryDecision } from "../../../provider/api/retry";
import { some } from "../../model/sizes";

const now = Date.parse("2026-03-01T12:00:00Z");
const first: Attempt = { method: "GET", count: 1, outcome: 200, now, maxWait: 120_000 };
const decided = (attempt: Partial<Attempt>, random = 0.5) => retryDecision({ ...first, ...attempt }, random);
const stop = { stop: true };

describe("Retry-After", () => {
  test.each<[string | undefined, number | undefined]>([
    ["0", 0],
    ["7", 7000],
    [" 7 ", 7000],
    ["1.5", 1500],
    ["1.25", 1250],
    ["3600", 3_600_000],
    ["Sun, 01 Mar 2026 12:00:30 GMT", 30_000],
    ["Sun, 01 Mar 2026 11:59:30 GMT", 0],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["99999999999", 99_999_999_999_000],
    [undefined, undefined],
    ...["", "  ", "-5", "+5", "soon", "NaN", "Infinity", "1e3", "0x10", "7,8", "5 seconds"].map(
      (garbage): [string, undefined] => [garbage, undefined],
    ),
  ])("%j is %j ms", (header, expected) => expect(retryAfter(header, now)).toBe(expected));
});

describe("after the first attempt", () => {
  const again = { wait: 125 };
  test.each<[Attempt["outcome"], string | undefined, object, object]>([
    // outcome, Retry-After, what a GET or PUT does, what a POST or DELETE does
    ["unsent", undefined, again, again],
    ["lost", undefined, again, stop],
    ["untrusted", undefined, stop, stop],
    [429, undefined, { wait: 500 }, { wait: 500 }],
    [429, "3", { wait: 3000 }, { wait: 3000 }],
    [429, "garbage", { wait: 500 }, { wait: 500 }],
    [429, "121", { stop: true, tooLong: 121_000 }, { stop: true, tooLong: 121_000 }],
    [429, "120", { wait: 120_000 }, { wait: 120_000 }],
    [503, "3", { wait: 3000 }, { wait: 3000 }],
    [503, undefined, again, stop],
    [503, "garbage", again, stop],
    [500, undefined, again, stop],
    [500, "3", again, stop],
    [502, undefined, again, stop],
    [504, undefined, again, stop],
    [501, undefined, stop, stop],
    ...[200, 201, 301, 302, 400, 401, 403, 404, 408, 409, 422].map(
      (status): [number, undefined, object, object] => [status, undefined, stop, stop],
    ),
  ])("%s with Retry-After %s", (outcome, header, forGet, forPost) => {
    for (const method of ["GET", "PUT"] as const)
      expect(decided({ method, outcome, retryAfter: header })).toEqual(forGet);
    for (const method of ["POST", "DELETE"] as const)
      expect(decided({ method, outcome, retryAfter: header })).toEqual(forPost);
  });
});

const attempts: fc.Arbitrary<Attempt> = fc.record({
  method: fc.constantFrom("GET", "POST", "PUT", "DELETE"),
  count: fc.integer({ min: 1, max: 20 }),
  outcome: fc.oneof(
    fc.constantFrom<Attempt["outcome"]>("unsent", "untrusted", "lost", 429, 503, 500, 502, 504),
    fc.integer({ min: 200, max: 599 }),
  ),
  retryAfter: fc.option(
    fc.oneof(
      fc.nat({ max: 300 }).map(String),
      fc.string(),
      fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    ),
    { nil: undefined },
  ),
  now: fc.constant(now),
  maxWait: fc.integer({ min: 0, max: 200_000 }),
});
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const always = (law: (attempt: Attempt, random: number) => void) =>
  fc.assert(fc.property(attempts, random, law), { numRuns: some(5000) });

test.each(["POST", "DELETE"] as const)(
  "a %s is sent again only where it never left or was turned away",
  (method) =>
    always((attempt, chance) => {
      if (!("wait" in retryDecision({ ...attempt, method }, chance))) return;
      const asked = retryAfter(attempt.retryAfter, now) !== undefined;
      expect(
        attempt.outcome === "unsent" || attempt.outcome === 429 || (attempt.outcome === 503 && asked),
      ).toBe(true);
    }),
);

test("no wait is longer than 20 s, or is what the service asks for to the millisecond, or is refused by naming it", () => {
  // Half of what it would be at most.
  expect(decided({ outcome: 429, count: 7 })).toEqual({ wait: 10_000 });
  always((attempt, chance) => {
    const decision = retryDecision(attempt, chance);
    const asked = retryAfter(attempt.retryAfter, now);
    if (asked !== undefined && [429, 503].includes(attempt.outcome as number) && attempt.count < 8)
      expect(decision).toEqual(asked > attempt.maxWait ? { stop: true, tooLong: asked } : { wait: asked });
    if (!("wait" in decision)) return;
    expect(decision.wait).toBeGreaterThanOrEqual(0);
    if (decision.wait !== asked) expect(decision.wait).toBeLessThanOrEqual(20_000);
    else expect(decision.wait).toBeLessThanOrEqual(Math.max(attempt.maxWait, 20_000));
  });
});
test("jitter is full: between nothing and the doubled base, and proportional to chance", () =>
  always((attempt, chance) => {
    const decision = retryDecision({ ...attempt, retryAfter: undefined }, chance);
    if (!("wait" in decision)) return;
    const base = attempt.outcome === 429 ? 1000 : 250;
    expect(decision.wait).toBeCloseTo(chance * Math.min(20_000, base * 2 ** (attempt.count - 1)), 6);
    expect(retryDecision({ ...attempt, retryAfter: undefined }, 0)).toEqual({ wait: 0 });
  }));

test("it always ends: after the eighth attempt where the service throttles, after the fourth elsewhere", () => {
  always((attempt, chance) => {
    if (attempt.count >= 8) expect(retryDecision(attempt, chance)).toEqual(stop);
    const isThrottled = [429, 503].includes(attempt.outcome as number);
    if (attempt.count >= 4 && !isThrottled) expect(retryDecision(attempt, chance)).toEqual(stop);
  });
  expect(decided({ outcome: "lost", count: 3 })).toEqual({ wait: 500 });
  expect(decided({ outcome: "lost", count: 4 })).toEqual(stop);
  expect(decided({ outcome: 503, count: 4 })).toEqual(stop);
  expect(decided({ outcome: 429, count: 7 })).toEqual({ wait: 10_000 });
  expect(decided({ outcome: 429, count: 8 })).toEqual(stop);
});
