import { expect, test } from "vitest";
import { CircuitBreaker } from "../../../provider/api/circuit-breaker";

const times = (count: number) => Array.from({ length: count }, (_, at) => at);

test("a service that fails twelve times in a row gets no more requests, and the reason is told", () => {
  const breaker = new CircuitBreaker();
  for (const _ of times(11)) breaker.failed(0);
  expect(breaker.refusal(1)).toBeUndefined();
  breaker.failed(0);
  expect(breaker.refusal(1)).toContain("12 requests in a row failed");
});

test("an answer in between, of whatever kind, starts the count again", () => {
  const breaker = new CircuitBreaker();
  for (const _ of times(11)) breaker.failed(0);
  breaker.succeeded();
  for (const _ of times(11)) breaker.failed(0);
  expect(breaker.refusal(1)).toBeUndefined();
});

test("a service that turns twenty requests in a row away gets no more of them, and the reason is told", () => {
  const breaker = new CircuitBreaker();
  expect(times(19).map(() => breaker.throttled(0))).not.toContain(false);
  expect(breaker.refusal(1)).toBeUndefined();
  expect(breaker.throttled(0)).toBe(false);
  expect(breaker.refusal(1)).toContain("throttled its last 20 requests in a row");
});

test("after ten seconds it is tried again; one failure more stops it again", () => {
  const breaker = new CircuitBreaker();
  for (const _ of times(12)) breaker.failed(0);
  expect(breaker.refusal(9_999)).toBeDefined();
  expect(breaker.refusal(10_000)).toBeUndefined();
  breaker.failed(10_000);
  expect(breaker.refusal(10_001)).toBeDefined();
  breaker.succeeded();
  expect(breaker.refusal(20_001)).toBeUndefined();
});
