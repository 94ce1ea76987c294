/** What the headers of an answer say of a limit, by patterns of their names: each product spells them in its own way. */
export type Headers = Readonly<Record<string, unknown>>;

/** A wait is no longer than this, in milliseconds: what says more is no time, or in another unit. */
const MAX_WAIT_MS = 86_400_000;
/** `Retry-After` of HTTP itself, `Retry-After-short` of @nestjs/throttler, `X-RateLimit-Retry-After` of Symfony and Help Scout. */
const RETRY_AFTER = /retry-after/;
/** `RateLimit-Reset`, `X-RateLimit-Reset`, `X-RateLimit-UserReset` of hapi-rate-limit, `X-Rate-Limit-Reset-Minute`. */
const RESET = /rate-?limit.*reset/;
const REMAINING = /rate-?limit.*remaining/;

/**
 * How long an answer asks to wait, in milliseconds. Undefined if it does not say it, or if it is no time within a day.
 *
 * @param now our time, in milliseconds since 1970; the service's own counts first
 * @param isLimit whether a limiter answers. Else a window that is not used up is no reason to wait: a 502 may come with
 *   `X-RateLimit-Remaining: 4999` and the end of the hour
 */
export function parseRetryAfter(headers: Headers, now: number, isLimit = true): number | undefined {
  const there = parseDate(textOf(headers.date)) || now;
  const waits = (limits: readonly string[]) =>
    limits.map((words) => parseWait(words, there)).filter((wait) => wait > 0 && wait <= MAX_WAIT_MS);
  const [asked] = waits(named(headers, RETRY_AFTER).map(([, words]) => words)).sort(
    (one, other) => other - one,
  );
  if (asked !== undefined) return asked;
  const resets = resetsOf(headers);
  // Of several limits, the one that is used up is the reason.
  const [usedUp] = waits(resets.filter(({ remaining }) => remaining === "0").map(({ reset }) => reset));
  return usedUp ?? (isLimit ? waits(resets.map(({ reset }) => reset))[0] : undefined);
}

/** Whether an answer asks to wait, and does not only tell when a window ends, as some services do with each. */
export function namesWait(headers: Headers): boolean {
  const asked = { date: headers.date, ...Object.fromEntries(named(headers, RETRY_AFTER)) };
  return parseRetryAfter(asked, Date.now()) !== undefined;
}

/** How many more requests the service will accept; undefined if it does not say it. */
export function parseRemaining(headers: Headers): number | undefined {
  const words = [...named(headers, REMAINING).map(([, text]) => text), ...limitsOf(headers).map(remainingOf)];
  const counts = words.filter((each) => /^\d+$/.test(each)).map(Number);
  return counts.length === 0 ? undefined : Math.min(...counts);
}

/** When each limit's window ends, and what it says is left. */
function resetsOf(headers: Headers): readonly { readonly reset: string; readonly remaining: string }[] {
  return [
    ...limitsOf(headers).map((limit) => ({
      reset: /\b(?:t|reset)=(\d+)/.exec(limit)?.[1] ?? "",
      remaining: remainingOf(limit),
    })),
    ...named(headers, RESET).map(([name, reset]) => ({
      reset,
      remaining: textOf(headers[name.replace("reset", "remaining")]),
    })),
  ];
}

/** The standard's drafts: by the seventh `limit=10, remaining=0, reset=30`, by the eighth `"hour";r=90;t=3000, "burst";r=0;t=14`. */
function limitsOf(headers: Headers): readonly string[] {
  const text = textOf(headers.ratelimit);
  return text.includes(";") ? text.split(",") : [text];
}

function remainingOf(limit: string): string {
  return /\b(?:r|remaining)=(\d+)/.exec(limit)?.[1] ?? "";
}

function named(headers: Headers, pattern: RegExp): readonly (readonly [name: string, text: string])[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    pattern.test(name) ? [[name, textOf(value)]] : [],
  );
}

function textOf(value: unknown): string {
  return String(value ?? "").trim();
}

/** From here on, a number of seconds is a time since 1970, and from there on, it is one in milliseconds. */
const SECONDS_SINCE_1970 = 1e9;
const MILLISECONDS_SINCE_1970 = 1e12;

/** Milliseconds from this time on; `NaN` if it is no time. */
function parseWait(words: string, there: number): number {
  if (!/^\d+(\.\d+)?$/.test(words)) return parseDate(words) - there;
  const number = Number(words);
  if (number < SECONDS_SINCE_1970) return number * 1000;
  return (number < MILLISECONDS_SINCE_1970 ? number * 1000 : number) - there;
}

/** Milliseconds since 1970. A date without a zone is in UTC, as in `Sun Nov  6 08:49:37 1994`, which HTTP still allows. */
function parseDate(words: string): number {
  // Only with letters: `Date.parse` reads "-5" as a year.
  if (!/[a-z]/i.test(words)) return Number.NaN;
  return Date.parse(/\d{4}$/.test(words) ? `${words} UTC` : words);
}
