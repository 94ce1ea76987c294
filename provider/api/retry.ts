import type { Request } from "./api";

/** How an attempt ended that was not accepted: an HTTP status; or never sent, an untrusted certificate, no whole answer, or one that is too large. */
export type Outcome = number | "unsent" | "untrusted" | "lost" | "too-large";

const MAX_ATTEMPTS = 4;
const MAX_PAUSE_MS = 20_000;
/**
 * How long a service may refuse all requests that has never accepted one, in milliseconds: longer than a minute, since a window
 * of one that an earlier command has used up may name no time, as by default of slowapi and flask-limiter. One that has accepted
 * some gets as long as it may ask for.
 */
const MAX_REFUSED_MS = 61_000;

/** Whether a request that may be done can be sent again: a second POST could add a record, and a DELETE could meet a new one with its id. */
export function isRepeatable({ method, idempotent }: Request): boolean {
  return method === "GET" || method === "PUT" || idempotent === true;
}

/**
 * How many milliseconds later a request that came to nothing is sent again, with full jitter over an exponential base; undefined
 * if it is not.
 *
 * @param failures how many attempts came to nothing, this one included
 * @param random a number from 0 up to 1
 */
export function delayAfterFailure(
  request: Request,
  outcome: Outcome,
  failures: number,
  random: number,
): number | undefined {
  const isTransient = outcome === "unsent" || outcome === "lost" || outcome === 500;
  const maySend = outcome === "unsent" || isRepeatable(request);
  return isTransient && maySend && failures < MAX_ATTEMPTS ? 250 * 2 ** (failures - 1) * random : undefined;
}

/** How a service refuses a request for now. Times are in milliseconds. */
export interface Refusal {
  /** How long it has refused so far: all reads, or all writes, or this one. */
  readonly lasted: number;
  /** Whether it was not known when this one was sent, so that a pause is due. */
  readonly isNews: boolean;
  /** Whether the service has ever accepted a request. */
  readonly hasAccepted: boolean;
  /** How long it asks to wait. */
  readonly asked?: number | undefined;
  /** The longest wait in all. */
  readonly maxWait: number;
}

/** How many milliseconds a service may refuse requests, if it names no time. */
export function patience({ hasAccepted, maxWait }: Pick<Refusal, "hasAccepted" | "maxWait">): number {
  return hasAccepted ? maxWait : Math.min(maxWait, MAX_REFUSED_MS);
}

/**
 * How many milliseconds nothing is sent after a refusal: the wait that the service asks for, else one with jitter about as long as
 * it has refused so far. Undefined if the longest wait is over before.
 *
 * @param random a number from 0 up to 1
 */
export function pauseAfterRefusal(refusal: Refusal, random: number): number | undefined {
  const { lasted, isNews, asked, maxWait } = refusal;
  const left = patience(refusal) - lasted;
  if (left <= 0) return undefined;
  // One that is always too short, such as a hundredth of a second, is lengthened step by step, and no reason to give up.
  const least = Math.min(MAX_PAUSE_MS, lasted / 10);
  if (asked !== undefined && asked >= least) return lasted + asked <= maxWait ? asked : undefined;
  if (asked !== undefined) return Math.min(left, least);
  if (!isNews) return 0;
  // It holds back all requests, so half of it is certain; single retries are spread over all of it.
  const pause = Math.min(MAX_PAUSE_MS, Math.max(1000, 2 * lasted));
  return Math.min(left, (pause * (1 + random)) / 2);
}
