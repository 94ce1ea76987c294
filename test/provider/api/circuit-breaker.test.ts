import { expect, test } from "vitest";
import { ApiError } from "../../../provider/api/api";
import { CircuitBreaker } from "../../../provider/api/circuit-breaker";

const error = new ApiError({ method: "GET", path: "/x" }, "unsent", "it is away");
const times = (count: number) => Array.from({ length: count }, (_, at) => at);

test("an answer in between, of whatever kind, starts the count again", () => {
  const breaker = new CircuitBreaker("reads");
  for (const _ of times(11)) breaker.failed(0, error);
  breaker.succeeded(0);
  for (const _ of times(11)) breaker.failed(0, error);
  expect(breaker.refusal(1, "https://a.example")).toBeUndefined();
});

test("one that is accepted while nothing may be sent ends the pause", () => {
  const breaker = new CircuitBreaker("reads");
  for (const _ of times(12)) breaker.failed(0, error);
  breaker.succeeded(0);
  expect(breaker.refusal(1, "https://a.example")).toBeUndefined();
});

test("after ten seconds it is tried again; one failure more stops it again", () => {
  const breaker = new CircuitBreaker("reads");
  for (const _ of times(12)) breaker.failed(0, error);
  expect(breaker.refusal(9_999, "https://a.example")).toBeDefined();
  expect(breaker.refusal(10_000, "https://a.example")).toBeUndefined();
  breaker.failed(10_000, error);
  expect(breaker.refusal(10_001, "https://a.example")).toMatchObject({
    what: "https://a.example: none of the last 13 reads succeeded: it is away",
    details: { advice: "run the same command again when the service is back" },
  });
  breaker.succeeded(0);
  expect(breaker.refusal(20_001, "https://a.example")).toBeUndefined();
});

test("it stops at once if that is asked for, and says why and what to do", () => {
  const breaker = new CircuitBreaker("writes");
  breaker.open(0, error);
  expect(breaker.refusal(9_999, "https://a.example")).toEqual({
    what: "https://a.example refuses all writes: it is away",
    details: { advice: "run the same command again when the service is back" },
  });
  expect(breaker.refusal(10_000, "https://a.example")).toBeUndefined();
});
