import { expect, test } from "vitest";
import { type Attempt, retryDecision } from "../../../provider/api/retry";

const refusal = { mayBeDone: false, refusedAllFor: 80, isNews: true, waited: 90, hasAccepted: true };
const first: Attempt = { method: "GET", failures: 1, outcome: 200, maxWait: 120_000 };
const decided = (attempt: Partial<Attempt>, random = 0.5) => retryDecision({ ...first, ...attempt }, random);
const stop = { stop: true };

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
      refusal: { ...refusal, mayBeDone: outcome !== 429, isNews },
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
        refusal: { mayBeDone: false, refusedAllFor, waited, isNews, hasAccepted },
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
