import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RateLimiter } from "../../../emulator/service/rate-limit";
import { createApi } from "../../../provider/api/client";
import { Pace } from "../../../provider/api/pace";
import { endpointAt } from "../endpoint";

vi.mock("../../../provider/api/http", async (original) => ({
  ...(await original<object>()),
  send: () => answer(),
}));

const ANSWERS_AFTER = 30;

let limiter: RateLimiter;
let limit: { requests: number; seconds: number };
/** What the service says of its limit, of what it could say. */
let says: (headers: Record<string, string>) => Record<string, string>;
let statuses: number[];

beforeEach(() => {
  vi.useFakeTimers({ now: 0 });
  limiter = new RateLimiter();
  limit = { requests: 60, seconds: 6 };
  says = (headers) => headers;
  statuses = [];
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** A service with this limit. */
async function answer() {
  const { remaining, retryAfter, resetsAt } = limiter.admit("key", limit, Date.now());
  const status = retryAfter === undefined ? 201 : 429;
  statuses.push(status);
  await new Promise((resolve) => setTimeout(resolve, ANSWERS_AFTER));
  const headers = {
    "x-ratelimit-limit": String(limit.requests),
    "x-ratelimit-remaining": String(remaining),
    ...(retryAfter === undefined
      ? {}
      : { "retry-after": String(retryAfter), "x-ratelimit-reset": String(resetsAt) }),
  };
  const text = JSON.stringify({ data: { id: statuses.length }, status });
  return { status, headers: says(headers), text };
}

/** Creates so many at an address. How often the least possible time it took. */
async function createAll(count: number, url: string): Promise<number> {
  const api = createApi(endpointAt(url), { warn: () => {}, debug: () => {} });
  const all = Array.from({ length: count }, () =>
    api({ method: "POST", path: "/api/v1/pixels", alwaysExists: true, form: { name: "P" } }),
  );
  const answers = Promise.all(all);
  await vi.runAllTimersAsync();
  expect((await answers).map(({ status }) => status)).toEqual(Array(count).fill(201));
  return Date.now() / (Math.floor((count - 1) / limit.requests) * limit.seconds * 1000);
}

test("E5: 200 creates under 60 requests in 6 s take at most 1.15 times the least possible, and few are turned away", async () => {
  expect(await createAll(200, "http://127.0.0.1:1")).toBeLessThanOrEqual(1.15);
  expect(statuses.filter((status) => status === 429).length).toBeLessThanOrEqual(0.05 * statuses.length);
});

test.each<[string, (headers: Record<string, string>) => Record<string, string>]>([
  ["no Retry-After", () => ({})],
  ["X-RateLimit-Reset alone", ({ "x-ratelimit-reset": reset = "" }) => ({ "x-ratelimit-reset": reset })],
])(
  "100 of 100 creates are made under 40 requests in 12 s with %s, at the worst of chance",
  async (name, said) => {
    limit = { requests: 40, seconds: 12 };
    says = said;
    for (const random of [0, 0.999]) {
      vi.spyOn(Math, "random").mockReturnValue(random);
      limiter = new RateLimiter();
      vi.setSystemTime(0);
      await createAll(100, `https://${name.replace(/\W+/g, "-")}-${random}.example`);
    }
  },
);

/** One after another is sent to a service that says which it refuses, at this time and after so many accepted ones. */
function drive(refuses: (at: number, count: number) => boolean, pause: number, isLimit = true) {
  const pace = new Pace();
  let at = 0;
  let refused = 0;
  for (let count = 0; count < 200; ) {
    if (!refuses(at, count)) {
      pace.accepts(at);
      count += 1;
      at += Math.max(20, pace.gap);
    } else {
      refused += 1;
      pace.refuses(at, isLimit);
      at += Math.max(pause, pace.gap);
    }
  }
  return { pace, at, refused };
}

test("requests to a service that takes ten in five seconds are soon sent in even steps", () => {
  let end = 0;
  let used = 0;
  const { pace, at, refused } = drive((now) => {
    if (now >= end) [end, used] = [now + 5000, 0];
    used += 1;
    return used > 10;
  }, 5000);
  expect(pace.gap).toBeGreaterThan(400);
  expect(pace.gap).toBeLessThanOrEqual(700);
  expect(at).toBeLessThan(1.5 * 100_000);
  expect(refused).toBeLessThan(20);
});

test("requests to a service that refuses some at any distance are never more than ten seconds apart", () => {
  let sent = 0;
  const { at, refused } = drive(() => sent++ % 3 > 0, 700);
  expect(refused).toBeGreaterThan(50);
  expect(at).toBeLessThan((200 + refused) * 10_100);
});

test("requests to a service that refuses each that comes within two seconds are sent in little more", () => {
  let accepted = Number.NEGATIVE_INFINITY;
  const { pace, refused } = drive((now) => {
    const isTooSoon = now - accepted < 2000;
    if (!isTooSoon) accepted = now;
    return isTooSoon;
  }, 700);
  expect(pace.gap).toBeGreaterThanOrEqual(2000);
  expect(pace.gap).toBeLessThan(2200);
  expect(refused).toBeLessThan(20);
});

test("requests to a service that refuses with a 503 each that comes within a second are sent in little more", () => {
  let accepted = Number.NEGATIVE_INFINITY;
  const refusesSooner = (now: number) => {
    const isTooSoon = now - accepted < 1000;
    if (!isTooSoon) accepted = now;
    return isTooSoon;
  };
  const { pace, refused } = drive(refusesSooner, 700, false);
  expect(pace.gap).toBe(1000);
  expect(refused).toBeLessThan(20);
});

test("what was refused before any was accepted, or twice in a row, teaches no other distance", () => {
  const pace = new Pace();
  pace.refuses(0, true);
  pace.accepts(5000);
  expect(pace.gap).toBe(0);
  // Too short is how long the first one came after the accepted one.
  for (const at of [5100, 6000, 7000]) pace.refuses(at, true);
  pace.accepts(9000);
  expect(pace.gap).toBe(4000);
  pace.accepts(13_000);
  expect(pace.gap).toBe(4000 - (4000 - 100) / 2);
});

test("each that is accepted brings the distance halfway to what was too short, until it is within a twentieth of that", () => {
  const pace = new Pace();
  pace.accepts(0);
  pace.refuses(1000, true);
  pace.accepts(2600);
  const gaps = Array.from({ length: 8 }, (_, at) => {
    pace.accepts(3000 * (at + 2));
    return pace.gap;
  });
  expect(gaps).toEqual([1800, 1400, 1200, 1100, 1050, 1050, 1050, 1050]);
});

test.each([
  ["503 for more than a second", false, 1000],
  ["429 for more than ten", true, 10_000],
] as const)(
  "a service that answers nothing but %s teaches no distance, since none that is learned would be long enough",
  (_, isLimit, longest) => {
    const gaps = [longest, longest + 1].map((later) => {
      const pace = new Pace();
      pace.accepts(0);
      for (const at of [100, later]) pace.refuses(at, isLimit);
      pace.accepts(50_000);
      return pace.gap;
    });
    expect(gaps).toEqual([longest, 0]);
  },
);
