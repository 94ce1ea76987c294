import type { Request } from "./api";

/** The outcome of an attempt, as far as a retry depends on it. */
export interface Attempt {
  readonly method: Request["method"];
  /** Attempts of this request that have failed, this one included. One that the service turned away has not. */
  readonly failures: number;
  /** If the service refused it for now: how. */
  readonly refusal?: Refusal | undefined;
  /** An HTTP status; or never sent, an untrusted certificate, no whole answer, or one that is too large. */
  readonly outcome: number | "unsent" | "untrusted" | "lost" | "too-large";
  /** How long the service asks to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  /** The longest wait that it may ask for, in milliseconds. */
  readonly maxWait: number;
}

/** How a service refuses requests for now. */
export interface Refusal {
  /** Whether it may have done it nevertheless, as before a 502, 503 or 504. */
  readonly mayBeDone: boolean;
  /** For how many milliseconds it has refused all reads, or all writes. */
  readonly refusedAllFor: number;
  /** Whether it was not known when this one was sent, so that a pause is due. */
  readonly isNews: boolean;
  /** For how many milliseconds this request has waited since it was refused. */
  readonly waited: number;
  /** Whether the service has ever accepted one. */
  readonly hasAccepted: boolean;
}

/**
 * Wait this many milliseconds, and retry unless it has to be seen first whether the request was done; or stop. `excessiveWaitMs`
 * is the requested wait if it exceeds the limit; `refusesAll` says that the others need not be tried either.
 */
export type Decision =
  | { readonly wait: number; readonly again: boolean }
  | { readonly stop: true; readonly refusesAll?: boolean; readonly excessiveWaitMs?: number };

const MAX_DELAY_MS = 20_000;
const MAX_ATTEMPTS = 4;
/**
 * How long a service may refuse all requests that has never accepted one, in milliseconds: longer than a minute, since a window
 * of one that an earlier command has used up may name no time, as by default of slowapi and flask-limiter. One that has accepted
 * some gets as long as it may ask for.
 */
const MAX_REFUSED_MS = 61_000;
const STOP = { stop: true } as const;

/**
 * Whether to retry, and when: after the wait that the service asks for, else with jitter over an exponential base. Only
 * a limiter's refusal says that the service has not processed the request. After any other answer a POST is not repeated, so that it
 * can't be done twice, and neither is a DELETE: the service may have given the id to a new record since.
 *
 * @param random a number from 0 up to 1
 */
export function retryDecision(attempt: Attempt, random: number): Decision {
  const { outcome, method, failures, refusal, retryAfterMs, maxWait } = attempt;
  const again = method === "GET" || method === "PUT" || outcome === "unsent" || refusal?.mayBeDone === false;
  if (refusal === undefined) {
    const transient = outcome === "unsent" || outcome === "lost" || outcome === 500;
    if (!transient || !again || failures >= MAX_ATTEMPTS) return STOP;
    return { wait: Math.min(MAX_DELAY_MS, 250 * 2 ** (failures - 1)) * random, again };
  }
  const { refusedAllFor, isNews, waited, hasAccepted } = refusal;
  const longest = hasAccepted ? maxWait : Math.min(maxWait, MAX_REFUSED_MS);
  const lasted = Math.max(refusedAllFor, waited);
  const left = longest - lasted;
  if (retryAfterMs !== undefined && retryAfterMs > maxWait)
    return { stop: true, refusesAll: true, excessiveWaitMs: retryAfterMs };
  if (left <= 0) return { stop: true, refusesAll: refusedAllFor >= longest };
  // A named time that is always too short, such as a hundredth of a second, is lengthened step by step.
  if (retryAfterMs !== undefined)
    return { wait: Math.max(retryAfterMs, Math.min(MAX_DELAY_MS, lasted / 10, left)), again };
  if (!isNews) return { wait: 0, again };
  // Each pause is about as long as all before. It holds back all requests, so half of it is certain; single retries are spread
  // over all of it.
  const pause = Math.min(MAX_DELAY_MS, Math.max(1000, 2 * lasted));
  return { wait: Math.min((pause * (1 + random)) / 2, left), again };
}
