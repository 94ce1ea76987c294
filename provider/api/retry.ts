import type { Request } from "./api";

/** The outcome of an attempt, as far as a retry depends on it. */
export interface Attempt {
  readonly method: Request["method"];
  /** Attempts made so far, this one included. */
  readonly count: number;
  /** An HTTP status; or never sent, an untrusted certificate, no whole answer, or one that is too large. */
  readonly outcome: number | "unsent" | "untrusted" | "lost" | "too-large";
  /** The answer's `Retry-After`. */
  readonly retryAfter?: string | undefined;
  /** Now, in milliseconds since 1970. */
  readonly now: number;
  /** The longest wait that a `Retry-After` may ask for, in milliseconds. */
  readonly maxWait: number;
}

/** Wait this many milliseconds and retry, or stop; `tooLong` is the requested wait if it exceeds the limit. */
export type Decision = { readonly wait: number } | { readonly stop: true; readonly tooLong?: number };

/** Whether the service throttled a request without processing it. */
export function throttled({
  outcome,
  retryAfter: header,
  now,
}: Pick<Attempt, "outcome" | "retryAfter" | "now">): boolean {
  return outcome === 429 || (outcome === 503 && retryAfter(header, now) !== undefined);
}

const MAX_DELAY_MS = 20_000;
const MAX_ATTEMPTS = 4;
const MAX_THROTTLED_ATTEMPTS = 8;
const STOP = { stop: true } as const;

/**
 * Whether to retry, and when: after the wait that the service asks for, else with full jitter over an exponential base.
 * A POST is repeated only if the first one was never sent or was throttled, so that it can't be done twice. So is a
 * DELETE: a service may have given the id to a new record since.
 *
 * @param random a number from 0 up to 1
 */
export function retryDecision(attempt: Attempt, random: number): Decision {
  const { outcome, method, count } = attempt;
  const asked = retryAfter(attempt.retryAfter, attempt.now);
  const isThrottled = throttled(attempt);
  const idempotent = method === "GET" || method === "PUT" || outcome === "unsent" || isThrottled;
  const transient =
    isThrottled ||
    outcome === "unsent" ||
    outcome === "lost" ||
    [500, 502, 503, 504].some((status) => status === outcome);
  if (!transient || !idempotent || count >= (isThrottled ? MAX_THROTTLED_ATTEMPTS : MAX_ATTEMPTS))
    return STOP;
  if (isThrottled && asked !== undefined)
    return asked > attempt.maxWait ? { stop: true, tooLong: asked } : { wait: asked };
  return { wait: random * Math.min(MAX_DELAY_MS, (isThrottled ? 1000 : 250) * 2 ** (count - 1)) };
}

/** A `Retry-After` in milliseconds from now; nothing if it makes no sense. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Only a date with letters, since `Date.parse` reads "-5" as a year.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
