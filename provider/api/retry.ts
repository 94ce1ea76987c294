import type { Request } from "./api";

/** What an attempt came to, as far as trying again is concerned. */
export interface Attempt {
  readonly method: Request["method"];
  /** Attempts made so far, this one included. */
  readonly count: number;
  /** An HTTP status; `unsent`: it never left; `untrusted`: no certificate to trust; `lost`: no whole answer. */
  readonly outcome: number | "unsent" | "untrusted" | "lost";
  /** The answer's `Retry-After`. */
  readonly retryAfter?: string | undefined;
  /** Now, in milliseconds since 1970. */
  readonly now: number;
  /** The longest wait that a `Retry-After` may ask for, in milliseconds. */
  readonly maxWait: number;
}

/** Wait so many milliseconds and try again, or stop; `tooLong` is a wait that was asked for and is not granted. */
export type Decision = { readonly wait: number } | { readonly stop: true; readonly tooLong?: number };

/** Whether the service turned a request away without a look at it, since there are too many. */
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
 * Whether to try again, and when: what the service asks for, else full jitter over an exponential base. A POST
 * is sent again only if the first one never left or was turned away, so that it can't be done twice.
 *
 * @param random a number from 0 up to 1
 */
export function retryDecision(attempt: Attempt, random: number): Decision {
  const { outcome, method, count } = attempt;
  const asked = retryAfter(attempt.retryAfter, attempt.now);
  const isThrottled = throttled(attempt);
  const idempotent = method !== "POST" || outcome === "unsent" || isThrottled;
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

/** A `Retry-After` in milliseconds from now; nothing where it makes no sense. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  // Only a date with letters: `Date.parse` takes "-5" for a year.
  const date = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
