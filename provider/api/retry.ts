import type { Request } from "./api";

/** The outcome of an attempt, as far as a retry depends on it. */
export interface Attempt {
  readonly method: Request["method"];
  /** Attempts made so far, this one included; of a throttled request, at least the service's pauses in a row. */
  readonly count: number;
  /** An HTTP status; or never sent, an untrusted certificate, no whole answer, or one that is too large. */
  readonly outcome: number | "unsent" | "untrusted" | "lost" | "too-large";
  /** How long the service asks to wait, in milliseconds. */
  readonly asked?: number | undefined;
  /** The longest wait that it may ask for, in milliseconds. */
  readonly maxWait: number;
}

/**
 * Wait this many milliseconds, and retry unless it has to be seen first whether the request was done; or stop. `tooLong`
 * is the requested wait if it exceeds the limit.
 */
export type Decision =
  | { readonly wait: number; readonly again: boolean }
  | { readonly stop: true; readonly tooLong?: number };

/** Whether the service asks for a pause. */
export function throttled({ outcome, asked }: Pick<Attempt, "outcome" | "asked">): boolean {
  return outcome === 429 || (outcome === 503 && asked !== undefined);
}

const MAX_DELAY_MS = 20_000;
const MAX_ATTEMPTS = 4;
/** Enough that waits without a `Retry-After` add up to 25 s at least, and at most to less than a minute. */
const MAX_THROTTLED_ATTEMPTS = 7;
const STOP = { stop: true } as const;

/**
 * Whether to retry, and when: after the wait that the service asks for, else with jitter over an exponential base. Only
 * a 429 says that the service has not processed the request. After any other answer a POST is not repeated, so that it
 * can't be done twice, and neither is a DELETE: the service may have given the id to a new record since.
 *
 * @param random a number from 0 up to 1
 */
export function retryDecision(attempt: Attempt, random: number): Decision {
  const { outcome, method, count, asked, maxWait } = attempt;
  const isThrottled = throttled(attempt);
  const again = method === "GET" || method === "PUT" || outcome === "unsent" || outcome === 429;
  const transient =
    outcome === "unsent" || outcome === "lost" || [429, 500, 502, 503, 504].some((each) => each === outcome);
  const isRepeated = transient && (again || isThrottled);
  if (!isRepeated || count >= (isThrottled ? MAX_THROTTLED_ATTEMPTS : MAX_ATTEMPTS)) return STOP;
  if (isThrottled && asked !== undefined)
    return asked > maxWait ? { stop: true, tooLong: asked } : { wait: asked, again };
  const base = Math.min(MAX_DELAY_MS, (isThrottled ? 1000 : 250) * 2 ** (count - 1));
  // One pause holds back all requests, so half of it is certain; single retries are spread over all of it.
  return { wait: isThrottled ? (base * (1 + random)) / 2 : base * random, again };
}

/**
 * How long an answer asks to wait, in milliseconds: by its `Retry-After`, else by its `X-RateLimit-Reset`. Nothing if
 * neither says it, or if it is no time at all.
 *
 * @param now our time, in milliseconds since 1970; the service's own counts first
 */
export function askedWait(headers: Readonly<Record<string, unknown>>, now: number): number | undefined {
  const text = (name: string) => String(headers[name] ?? "").trim();
  const date = (words: string) => (/[a-z]/i.test(words) ? Date.parse(words) : Number.NaN);
  const seconds = (words: string) => (/^\d+(\.\d+)?$/.test(words) ? Number(words) * 1000 : Number.NaN);
  const there = date(text("date")) || now;
  const reset = seconds(text("x-ratelimit-reset"));
  const waits = [
    seconds(text("retry-after")),
    // Only a date with letters, since `Date.parse` reads "-5" as a year.
    date(text("retry-after")) - there,
    // Either how many seconds are left, or a time since 1970.
    reset < SINCE_1970_MS ? reset : reset - there,
  ];
  return waits.find((wait) => wait > 0);
}

/** A number of seconds from here on is a time since 1970: as a wait it would be 30 years. */
const SINCE_1970_MS = 1_000_000_000_000;
