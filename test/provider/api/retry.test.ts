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

const first: Refusal = { lasted: 80, isNews: true, hasAccepted: true, maxWait: 120_000 };
const pause = (refusal: Partial<Refusal>, random = 0.5) =>
  pauseAfterRefusal({ ...first, ...refusal }, random);

test("a refusal that names no time pauses about as long again as it has lasted, up to 20 s, and half of that is certain", () => {
  const pauses = (random: number) => [0, 500, 1500, 6000, 30_000].map((lasted) => pause({ lasted }, random));
  expect(pauses(0)).toEqual([500, 500, 1500, 6000, 10_000]);
  expect(pauses(0.5)).toEqual([750, 750, 2250, 9000, 15_000]);
  expect(pause({ isNews: false })).toBe(0);
});

test("a named time is waited for, up to what is left of the longest wait", () => {
  expect(pause({ lasted: 0, asked: 3000 })).toBe(3000);
  expect(pause({ lasted: 0, asked: 120_000 })).toBe(120_000);
  expect(pause({ lasted: 0, asked: 100_000, hasAccepted: false })).toBe(100_000);
  expect(pause({ lasted: 0, asked: 121_000 })).toBeUndefined();
  expect(pause({ lasted: 80_000, asked: 41_000 })).toBeUndefined();
});

test("a named time that is always too short is lengthened, up to what is left", () => {
  expect(pause({ lasted: 30_000, asked: 10 })).toBe(3000);
  // Near the end it is no reason to give up: else the last message names a time, or not, by chance.
  expect(pause({ lasted: 995, maxWait: 1000, asked: 10 })).toBe(5);
});

test.each<[string, boolean, number, number]>([
  ["a minute", false, 120_000, 61_000],
  ["the longest wait, if that is shorter,", false, 1000, 1000],
  ["the longest wait, however short, if it has ever accepted one,", true, 1000, 1000],
  ["the longest wait, if it has ever accepted one,", true, 120_000, 120_000],
])("it ends when the service has refused for %s", (_, hasAccepted, maxWait, longest) => {
  for (const isNews of [true, false]) {
    const after = (lasted: number) => pause({ maxWait, lasted, isNews, hasAccepted });
    expect(after(longest - 1)).toBe(isNews ? 1 : 0);
    expect(after(longest)).toBeUndefined();
  }
});

test("a pause ends when the longest wait does", () => {
  expect(pause({ lasted: 119_000 })).toBe(1000);
});
