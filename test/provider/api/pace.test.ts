import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RateLimiter } from "../../../emulator/service/rate-limit";
import { createApi } from "../../../provider/api/client";
import { endpointAt } from "../endpoint";

vi.mock("../../../provider/api/http", async (original) => ({
  ...(await original<object>()),
  send: () => answer(),
}));

const COUNT = 200;
const LIMIT = 60;
/** Milliseconds. */
const WINDOW = 6000;
const ANSWERS_AFTER = 30;

const limiter = new RateLimiter();
const statuses: number[] = [];

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** A service with this limit. */
async function answer() {
  const { remaining, retryAfter } = limiter.admit(
    "key",
    { requests: LIMIT, seconds: WINDOW / 1000 },
    Date.now(),
  );
  const status = retryAfter === undefined ? 201 : 429;
  statuses.push(status);
  await new Promise((resolve) => setTimeout(resolve, ANSWERS_AFTER));
  const headers = {
    "content-type": "application/json",
    "x-ratelimit-limit": String(LIMIT),
    "x-ratelimit-remaining": String(remaining),
    ...(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) }),
  };
  return { status, headers, text: JSON.stringify({ data: { id: statuses.length }, status }) };
}

test("E5: 200 creates under 60 requests in 6 s take at most 1.15 times the least possible, and few are turned away", async () => {
  const api = createApi(endpointAt("http://127.0.0.1:1"), { warn: () => {}, debug: () => {} });
  const all = Array.from({ length: COUNT }, () =>
    api({ method: "POST", path: "/api/v1/pixels", alwaysExists: true, form: { name: "P" } }),
  );
  const answers = Promise.all(all);
  await vi.runAllTimersAsync();
  expect((await answers).map(({ status }) => status)).toEqual(Array(COUNT).fill(201));

  const least = Math.floor((COUNT - 1) / LIMIT) * WINDOW;
  expect(Date.now() / least).toBeLessThanOrEqual(1.15);
  expect(statuses.filter((status) => status === 429).length).toBeLessThanOrEqual(0.05 * statuses.length);
});
