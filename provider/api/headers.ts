/** What the headers of an answer say of a limit, by patterns of their names: each product spells them in its own way. */
export type Headers = Readonly<Record<string, unknown>>;

/** What an answer says of a limit. Times are in milliseconds, and within a day. */
export interface Limit {
  /** How long it asks to wait. */
  readonly wait?: number | undefined;
  /** When the window ends that is used up: of several limits, that one is the reason. */
  readonly usedUp?: number | undefined;
  /** When a window ends. Some services tell that with each answer. */
  readonly reset?: number | undefined;
  /** How many more requests the service will accept. */
  readonly remaining?: number | undefined;
}

/** A wait is no longer than this, in milliseconds: what says more is no time, or in another unit. */
const MAX_WAIT_MS = 86_400_000;
/** `Retry-After` of HTTP itself, `Retry-After-short` of @nestjs/throttler, `X-RateLimit-Retry-After` of Symfony and Help Scout. */
const RETRY_AFTER = /retry-after/;
/** `RateLimit-Reset`, `X-RateLimit-Remaining`, `X-RateLimit-UserReset` of hapi-rate-limit, `X-Rate-Limit-Reset-Minute`. */
const WINDOW = /rate-?limit.*(reset|remaining)/;

/**
 * Reads what an answer says of a limit.
 *
 * @param now our time, in milliseconds since 1970; the service's own counts first
 */
export function parseLimit(headers: Headers, now: number): Limit {
  const textOf = (name: string) => String(headers[name] ?? "").trim();
  const named = (pattern: RegExp) => Object.keys(headers).filter((name) => pattern.test(name));
  const there = parseDate(textOf("date")) || now;
  const waits = (words: readonly string[]) =>
    words.map((each) => parseWait(each, there)).filter((wait) => wait > 0 && wait <= MAX_WAIT_MS);
  // The standard's drafts: by the seventh `limit=10, remaining=0, reset=30`, by the eighth `"hour";r=90;t=3000, "burst";r=0;t=14`.
  const text = textOf("ratelimit");
  const drafts = text.includes(";") ? text.split(",") : [text];
  const windows = [
    ...drafts.map((draft) => ({
      reset: /\b(?:t|reset)=(\d+)/.exec(draft)?.[1] ?? "",
      remaining: /\b(?:r|remaining)=(\d+)/.exec(draft)?.[1] ?? "",
    })),
    ...named(WINDOW).map((name) => ({
      reset: textOf(name.replace("remaining", "reset")),
      remaining: textOf(name.replace("reset", "remaining")),
    })),
  ];
  const usedUp = windows.filter(({ remaining }) => remaining === "0");
  const counts = windows.flatMap(({ remaining }) => (/^\d+$/.test(remaining) ? [Number(remaining)] : []));
  return {
    wait: waits(named(RETRY_AFTER).map(textOf)).sort((one, other) => other - one)[0],
    usedUp: waits(usedUp.map(({ reset }) => reset))[0],
    reset: waits(windows.map(({ reset }) => reset))[0],
    remaining: counts.length === 0 ? undefined : Math.min(...counts),
  };
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
