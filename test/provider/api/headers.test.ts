import { describe, expect, test } from "vitest";
import { type Headers, parseLimit } from "../../../provider/api/headers";

const now = Date.parse("2026-03-01T12:00:00Z");

/** What a limiter's answer says. */
function waitOf(headers: Headers, at = now) {
  const { wait, usedUp, reset } = parseLimit(headers, at);
  return wait ?? usedUp ?? reset;
}

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
    expect(waitOf({ "retry-after": header })).toBe(expected);
    // By the service's own clock, however wrong ours is.
    expect(waitOf({ "retry-after": header, date: NOON }, now - 3_600_000)).toBe(expected);
    expect(waitOf({ "retry-after": header, "x-ratelimit-reset": "9" })).toBe(expected ?? 9000);
  });
  test.each<[string, number | undefined]>([
    ["12", 12_000],
    [String(now / 1000 + 12), 12_000],
    [String(now + 12_000), 12_000],
    ["Sun, 01 Mar 2026 12:00:12 GMT", 12_000],
    ...["0", String(now / 1000 - 12), String(now - 12_000), "soon", "-5"].map(none),
  ])("by X-RateLimit-Reset %j is %j ms", (header, expected) => {
    expect(waitOf({ "x-ratelimit-reset": header })).toBe(expected);
    expect(waitOf({ "x-ratelimit-reset": header, date: NOON }, 0)).toBe(expected);
  });

  test("is told apart from a window's end, and that of a window that is used up", () => {
    const hour = { "x-ratelimit-remaining": "4999", "x-ratelimit-reset": "3000" };
    const ends = { reset: 3_000_000, remaining: 4999 };
    expect(parseLimit(hour, now)).toEqual(ends);
    expect(parseLimit({ ...hour, "x-ratelimit-remaining": "0" }, now)).toEqual({
      usedUp: 3_000_000,
      reset: 3_000_000,
      remaining: 0,
    });
    expect(parseLimit({ ...hour, "retry-after": "2" }, now)).toEqual({ ...ends, wait: 2000 });
  });

  test.each<[object, number]>([
    [{ "x-ratelimit-retry-after": "7" }, 7000],
    [{ "x-ratelimit-retry-after": String(now / 1000 + 8) }, 8000],
    [{ "ratelimit-reset": "9" }, 9000],
    [{ ratelimit: "limit=10, remaining=0, reset=11" }, 11_000],
    [{ ratelimit: '"10-in-1min"; r=0; t=13' }, 13_000],
    [{ ratelimit: '"hour";r=90;t=3000, "burst";r=0;t=14' }, 14_000],
    [{ "retry-after": "0", "ratelimit-reset": "15", "x-ratelimit-reset": "16" }, 15_000],
    // Named throttlers of @nestjs/throttler, and hapi-rate-limit.
    [{ "retry-after-short": "1" }, 1000],
    [{ "x-ratelimit-userreset": String(now + 17_000) }, 17_000],
    // Of several, the longest wait that is asked for, and the end of the window that is used up.
    [{ "retry-after-short": "1", "retry-after-long": "18" }, 18_000],
    [
      {
        "x-ratelimit-reset-short": "1",
        "x-ratelimit-remaining-short": "4",
        "x-ratelimit-reset-long": "19",
        "x-ratelimit-remaining-long": "0",
      },
      19_000,
    ],
  ])("by %j is %j ms", (headers, expected) => {
    expect(waitOf({ ...headers })).toBe(expected);
  });

  function none(header: string): [string, undefined] {
    return [header, undefined];
  }
});

test.each<[object, number | undefined]>([
  [{ "x-ratelimit-remaining": "7" }, 7],
  [{ "ratelimit-remaining": "6" }, 6],
  [{ "rate-limit-remaining": "5" }, 5],
  [{ "x-ratelimit-userremaining": "4" }, 4],
  [{ ratelimit: "limit=10, remaining=3, reset=11" }, 3],
  [{ ratelimit: '"10-in-1min"; r=0; t=13' }, 0],
  [{ ratelimit: '"hour";r=90;t=3000, "burst";r=2;t=14' }, 2],
  [{ "x-ratelimit-remaining-short": "9", "x-ratelimit-remaining-long": "1" }, 1],
  [{ "x-ratelimit-remaining": "-1" }, undefined],
  [{ "x-ratelimit-limit": "60", "x-ratelimit-reset": "12" }, undefined],
])("what is left by %j is %j", (headers, expected) => {
  expect(parseLimit({ ...headers }, now).remaining).toBe(expected);
});

test.each<[object, boolean]>([
  [{ "retry-after": "7" }, true],
  [{ "retry-after-short": "7" }, true],
  [{ "retry-after": "soon" }, false],
  // express-rate-limit says with each answer when the window ends.
  [{ "ratelimit-reset": "7", "x-ratelimit-reset": "7" }, false],
])("whether %j asks to wait is %j", (headers, expected) => {
  expect(parseLimit({ ...headers }, now).wait !== undefined).toBe(expected);
});
