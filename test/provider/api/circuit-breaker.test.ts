import { expect, test } from "vitest";
import { ApiError, type Request } from "../../../provider/api/api";
import { CircuitBreaker } from "../../../provider/api/circuit-breaker";

const error = new ApiError({ method: "GET", path: "/x" }, "unsent", "it is away");
const another: Request = { method: "GET", path: "/y" };
const times = (count: number) => Array.from({ length: count }, (_, at) => at);

test("an answer in between, of whatever kind, starts the count again", () => {
  const breaker = new CircuitBreaker("https://a.example", "reads");
  for (const _ of times(11)) breaker.failed(0, error);
  breaker.succeeded(0);
  for (const _ of times(11)) breaker.failed(0, error);
  expect(breaker.refusal(1, another)).toBeUndefined();
});

test("one that is accepted while nothing may be sent ends the pause", () => {
  const breaker = new CircuitBreaker("https://a.example", "reads");
  for (const _ of times(12)) breaker.failed(0, error);
  breaker.succeeded(0);
  expect(breaker.refusal(1, another)).toBeUndefined();
});

test("after ten seconds it is tried again; one failure more stops it again", () => {
  const breaker = new CircuitBreaker("https://a.example", "reads");
  for (const _ of times(12)) breaker.failed(0, error);
  expect(breaker.refusal(9_999, another)).toBeDefined();
  expect(breaker.refusal(10_000, another)).toBeUndefined();
  breaker.failed(10_000, error);
  expect(breaker.refusal(10_001, another)).toMatchObject({
    request: another,
    what: "none of the last 13 reads succeeded: it is away",
    details: { advice: "run the same command again when the service is back" },
  });
  breaker.succeeded(0);
  expect(breaker.refusal(20_001, another)).toBeUndefined();
});

test("it stops at once if that is asked for, and says why and what to do", () => {
  const breaker = new CircuitBreaker("https://a.example", "writes");
  breaker.open(0, error);
  expect(breaker.refusal(9_999, another)).toMatchObject({
    failure: "unsent",
    what: "https://a.example refuses all writes: it is away",
    details: { advice: "run the same command again when the service is back" },
  });
  expect(breaker.refusal(10_000, another)).toBeUndefined();
});

test("what it has refused all for is the time in which a request waits or is under way, in whatever order refusals become known", () => {
  const breaker = new CircuitBreaker("https://a.example", "writes");
  const lasted = (askedAt: number, sentAt: number, now = sentAt + 1) => {
    breaker.refused(askedAt, sentAt, now);
    return breaker.refusedFor;
  };
  expect([lasted(0, 10), lasted(0, 8), lasted(0, 30)]).toEqual([0, 0, 20]);
  // One after another, each refused after 25 s, as by a 504.
  expect([lasted(31, 31, 56), lasted(56, 56, 81)]).toEqual([21, 46]);
  // Nothing is asked for until an hour later: only what was under way before counts.
  expect([lasted(3_600_000, 3_600_005), lasted(3_600_000, 3_600_009)]).toEqual([76, 80]);
  breaker.succeeded(3_700_000);
  expect([breaker.refusedFor, lasted(0, 3_700_001), lasted(0, 3_700_004)]).toEqual([0, 0, 3]);
});
