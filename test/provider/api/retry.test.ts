import { expect, test } from "vitest";
import type { Request } from "../../../provider/api/api";
import {
  delayAfterFailure,
  isRepeatable,
  type Outcome,
  pauseAfterRefusal,
  type Refusal,
} from "../../../provider/api/retry";

const asked = (method: Request["method"]): Request => ({ method, path: "/" });

test.each<[Outcome, number | undefined, number | undefined]>([
  // outcome, after how many milliseconds a GET or PUT is sent again, and a POST or DELETE
  ["unsent", 125, 125],
  ["lost", 125, undefined],
  ["untrusted", undefined, undefined],
  ["too-large", undefined, undefined],
  [500, 125, undefined],
  [501, undefined, undefined],
])("after the first failure (%s)", (outcome, forGet, forPost) => {
  for (const method of ["GET", "PUT"] as const)
    expect(delayAfterFailure(asked(method), outcome, 1, 0.5)).toBe(forGet);
  for (const method of ["POST", "DELETE"] as const)
    expect(delayAfterFailure(asked(method), outcome, 1, 0.5)).toBe(forPost);
});

test("delays double, chance spreads them over all, and the fourth failure is the last", () => {
  const delays = (random: number) =>
    [1, 2, 3, 4].map((failures) => delayAfterFailure(asked("GET"), "lost", failures, random));
  expect(delays(0)).toEqual([0, 0, 0, undefined]);
  expect(delays(0.5)).toEqual([125, 250, 500, undefined]);
});

test("a POST that changes nothing is repeated like a GET", () => {
  expect(isRepeatable({ ...asked("POST"), idempotent: true })).toBe(true);
  expect(isRepeatable(asked("POST"))).toBe(false);
});

const first: Refusal = { refusedAllFor: 80, isNews: true, waited: 90, hasAccepted: true, maxWait: 120_000 };
const decided = (refusal: Partial<Refusal>, random = 0.5) =>
  pauseAfterRefusal({ ...first, ...refusal }, random);

test("a refusal that names no time pauses about as long again as it has lasted, up to 20 s, and half of that is certain", () => {
  const pauses = (random: number) =>
    [0, 500, 1500, 6000, 30_000].map((refusedAllFor) => decided({ refusedAllFor }, random));
  expect(pauses(0)).toEqual([500, 500, 1500, 6000, 10_000].map((wait) => ({ wait })));
  expect(pauses(0.5)).toEqual([750, 750, 2250, 9000, 15_000].map((wait) => ({ wait })));
  expect(decided({ isNews: false })).toEqual({ wait: 0 });
});

test("a named time is waited for, up to what is left of the longest wait", () => {
  const none = { refusedAllFor: 0, waited: 0 };
  expect(decided({ ...none, retryAfterMs: 3000 })).toEqual({ wait: 3000 });
  expect(decided({ ...none, retryAfterMs: 120_000 })).toEqual({ wait: 120_000 });
  expect(decided({ ...none, retryAfterMs: 100_000, hasAccepted: false })).toEqual({ wait: 100_000 });
  expect(decided({ ...none, retryAfterMs: 121_000 })).toEqual({ refusesAll: true, excessiveWaitMs: 121_000 });
  expect(decided({ refusedAllFor: 80_000, waited: 80_000, retryAfterMs: 41_000 })).toEqual({
    refusesAll: true,
    excessiveWaitMs: 41_000,
  });
  // The others may still be accepted.
  expect(decided({ refusedAllFor: 0, waited: 80_000, retryAfterMs: 41_000 })).toEqual({
    refusesAll: false,
    excessiveWaitMs: 41_000,
  });
});

test("a named time that is always too short is lengthened, up to what is left", () => {
  expect(decided({ refusedAllFor: 30_000, retryAfterMs: 10 })).toEqual({ wait: 3000 });
  // Near the end it is no reason to give up: else the last message names a time, or not, by chance.
  const near = { refusedAllFor: 995, hasAccepted: true, maxWait: 1000 };
  expect(decided({ ...near, retryAfterMs: 10 })).toEqual({ wait: 5 });
});

test.each<[string, boolean, number, number]>([
  ["a minute", false, 120_000, 61_000],
  ["the longest wait, if that is shorter,", false, 1000, 1000],
  ["the longest wait, however short, if it has ever accepted one,", true, 1000, 1000],
  ["the longest wait, if it has ever accepted one,", true, 120_000, 120_000],
])("it ends when the service has refused all for %s", (_, hasAccepted, maxWait, longest) => {
  for (const isNews of [true, false]) {
    const after = (refusedAllFor: number, waited: number) =>
      decided({ maxWait, refusedAllFor, waited, isNews, hasAccepted });
    expect(after(longest - 1, longest - 1)).toEqual({ wait: isNews ? 1 : 0 });
    expect(after(longest, 0)).toEqual({ refusesAll: true });
    // The others may still be accepted.
    expect(after(0, longest)).toEqual({ refusesAll: false });
  }
});

test("a pause ends when the longest wait does", () => {
  expect(decided({ refusedAllFor: 119_000 })).toEqual({ wait: 1000 });
});
