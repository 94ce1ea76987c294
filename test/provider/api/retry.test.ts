import { describe, expect, test } from "vitest";
import { type Attempt, parseRetryAfter, retryDecision } from "../../../provider/api/retry";

const now = Date.parse("2026-03-01T12:00:00Z");
const refusal = { refusedAllFor: 80, isNews: true, waited: 90, hasAccepted: true };
const first: Attempt = { method: "GET", failures: 1, outcome: 200, maxWait: 120_000 };
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
    ["Sun Mar  1 12:00:30 2026", 30_000],
    [String(now / 1000 + 30), 30_000],
    ["86400", 86_400_000],
    ...["0", "Sun, 01 Mar 2026 11:59:30 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"].map(none),
    ...["86401", "99999999999", "Fri, 01 Jan 2027 00:00:00 GMT"].map(none),
    ...["", "  ", "-5", "+5", "soon", "NaN", "Infinity", "1e3", "0x10", "7,8", "5 seconds"].map(none),
  ])("by Retry-After %j is %j ms", (header, expected) => {
    expect(parseRetryAfter({ "retry-after": header }, now)).toBe(expected);
    // By the service's own clock, however wrong ours is.
    expect(parseRetryAfter({ "retry-after": header, date: NOON }, now - 3_600_000)).toBe(expected);
    expect(parseRetryAfter({ "retry-after": header, "x-ratelimit-reset": "9" }, now)).toBe(expected ?? 9000);
  });
  test.each<[string, number | undefined]>([
    ["12", 12_000],
    [String(now / 1000 + 12), 12_000],
    [String(now + 12_000), 12_000],
    ["Sun, 01 Mar 2026 12:00:12 GMT", 12_000],
    ...["0", String(now / 1000 - 12), String(now - 12_000), "soon", "-5"].map(none),
  ])("by X-RateLimit-Reset %j is %j ms", (header, expected) => {
    expect(parseRetryAfter({ "x-ratelimit-reset": header }, now)).toBe(expected);
    expect(parseRetryAfter({ "x-ratelimit-reset": header, date: NOON }, 0)).toBe(expected);
  });

  test.each<[object, number]>([
    [{ "x-ratelimit-retry-after": "7" }, 7000],
    [{ "x-ratelimit-retry-after": String(now / 1000 + 8) }, 8000],
    [{ "ratelimit-reset": "9" }, 9000],
    [{ ratelimit: "limit=10, remaining=0, reset=11" }, 11_000],
    [{ ratelimit: '"10-in-1min"; r=0; t=13' }, 13_000],
    [{ ratelimit: '"hour";r=90;t=3000, "burst";r=0;t=14' }, 14_000],
    [{ "retry-after": "0", "ratelimit-reset": "15", "x-ratelimit-reset": "16" }, 15_000],
  ])("by %j is %j ms", (headers, expected) => {
    expect(parseRetryAfter({ ...headers }, now)).toBe(expected);
  });

  function none(header: string): [string, undefined] {
    return [header, undefined];
  }
});

const waits = (wait: number, again = true) => ({ wait, again });

test.each<[Attempt["outcome"], number | undefined, object, object]>([
  // outcome, the wait that is retryAfterMs for, what a GET or PUT does, what a POST or DELETE does
  ["unsent", undefined, waits(125), waits(125)],
  ["lost", undefined, waits(125), stop],
  ["untrusted", undefined, stop, stop],
  [500, undefined, waits(125), stop],
  [500, 3000, waits(125), stop],
  [501, undefined, stop, stop],
  ...[200, 201, 301, 302, 400, 401, 403, 404, 408, 409, 422].map(
    (status): [number, undefined, object, object] => [status, undefined, stop, stop],
  ),
])(
  "after the first attempt, a failure (%s) that asks for %s ms",
  (outcome, retryAfterMs, forGet, forPost) => {
    for (const method of ["GET", "PUT"] as const)
      expect(decided({ method, outcome, retryAfterMs })).toEqual(forGet);
    for (const method of ["POST", "DELETE"] as const)
      expect(decided({ method, outcome, retryAfterMs })).toEqual(forPost);
  },
);

test.each<[number, boolean, number | undefined, object, object]>([
  // status, whether a pause is due, the wait that is retryAfterMs for, what a GET or PUT does, what a POST or DELETE does
  [429, false, undefined, waits(0), waits(0)],
  [429, true, undefined, waits(750), waits(750)],
  [429, true, 3000, waits(3000), waits(3000)],
  [
    429,
    true,
    121_000,
    { stop: true, refusesAll: true, excessiveWaitMs: 121_000 },
    { stop: true, refusesAll: true, excessiveWaitMs: 121_000 },
  ],
  [429, true, 120_000, waits(120_000), waits(120_000)],
  ...[502, 503, 504].flatMap((busy): [number, boolean, number | undefined, object, object][] => [
    [busy, false, undefined, waits(0), waits(0, false)],
    [busy, true, undefined, waits(750), waits(750, false)],
    [busy, true, 3000, waits(3000), waits(3000, false)],
  ]),
])(
  "a refusal (%s) with a pause (%s) that asks for %s ms",
  (outcome, isNews, retryAfterMs, forGet, forPost) => {
    const refused = {
      outcome,
      refusal: { ...refusal, isNews },
      retryAfterMs,
    };
    for (const method of ["GET", "PUT"] as const)
      expect(decided({ ...refused, method, failures: 9 })).toEqual(forGet);
    for (const method of ["POST", "DELETE"] as const)
      expect(decided({ ...refused, method })).toEqual(forPost);
  },
);

test("waits grow to 20 s, and chance spreads them over all, or over half if the service limits the requests", () => {
  const found = (attempts: Partial<Attempt>[], random: number) =>
    attempts.map((attempt) => decided(attempt, random)).map((each) => "wait" in each && each.wait);
  const failures = [1, 2, 3].map((count) => ({ outcome: "lost", failures: count }) as const);
  expect(found(failures, 0)).toEqual([0, 0, 0]);
  expect(found(failures, 0.5)).toEqual([125, 250, 500]);
  // About as long again as it has lasted.
  const pauses = [0, 500, 1500, 6000, 30_000].map((refusedAllFor) => ({
    outcome: 429,
    refusal: { ...refusal, refusedAllFor },
  }));
  expect(found(pauses, 0)).toEqual([500, 500, 1500, 6000, 10_000]);
  expect(found(pauses, 0.5)).toEqual([750, 750, 2250, 9000, 15_000]);
});

test("it ends after the fourth failure", () => {
  for (const outcome of ["unsent", "lost", 500] as const) {
    expect(decided({ outcome, failures: 3 })).toMatchObject({ again: true });
    for (const failures of [4, 20]) expect(decided({ outcome, failures })).toEqual(stop);
  }
});

test.each<[string, boolean, number, number]>([
  ["a minute", false, 120_000, 61_000],
  ["the longest wait, if that is shorter,", false, 1000, 1000],
  ["the longest wait, however short, if it has ever accepted one,", true, 1000, 1000],
  ["the longest wait, if it has ever accepted one,", true, 120_000, 120_000],
])("it ends when the service has refused all for %s", (_, hasAccepted, maxWait, patience) => {
  for (const [outcome, retryAfterMs, isNews] of [
    [429, undefined, true],
    [429, 900, true],
    [503, 900, true],
    [503, undefined, false],
  ] as const) {
    const after = (refusedAllFor: number, waited: number) =>
      decided({
        outcome,
        retryAfterMs,
        maxWait,
        refusal: { refusedAllFor, waited, isNews, hasAccepted },
      });
    expect(after(patience - 1, patience - 1)).toMatchObject({ again: true });
    expect(after(patience, 0)).toEqual({ stop: true, refusesAll: true });
    // The others may still be accepted.
    expect(after(0, patience)).toEqual({ stop: true, refusesAll: false });
  }
});

test("a pause ends when the patience does", () => {
  expect(decided({ outcome: 429, refusal: { ...refusal, refusedAllFor: 119_000 } })).toEqual(waits(1000));
});
