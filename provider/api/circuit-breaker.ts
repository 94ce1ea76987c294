import type { ApiError, ErrorDetails } from "./api";

/** After this many failures in a row, the service counts as dead. */
const FAILURE_THRESHOLD = 12;
/** After it asked for this many pauses in a row, too. */
const PAUSE_THRESHOLD = 7;
/** How long nothing is sent to it then, in milliseconds. */
const COOL_DOWN_MS = 10_000;

/**
 * Stops all requests of a process to a service that fails, or throttles requests, again and again. It has no clock:
 * callers pass times in milliseconds.
 */
export class CircuitBreaker {
  private failures = 0;
  /** How many pauses in a row the service has asked for, and when it asked for the latest one. */
  private pauses = 0;
  private throttledAt = Number.NEGATIVE_INFINITY;
  private openUntil = 0;
  private lastFailure: ApiError | undefined;

  /** The service answered anything. */
  succeeded(): void {
    this.failures = 0;
    this.pauses = 0;
  }

  /** No answer, or one that only shows that the service is broken. */
  failed(now: number, error: ApiError): void {
    this.failures += 1;
    this.lastFailure = error;
    if (this.failures >= FAILURE_THRESHOLD) this.openUntil = now + COOL_DOWN_MS;
  }

  /** A request that was sent at this time was throttled. All that were in flight ask for one and the same pause. */
  throttled(now: number, sentAt: number): number {
    if (sentAt >= this.throttledAt) {
      this.pauses += 1;
      this.throttledAt = now;
    }
    if (this.pauses >= PAUSE_THRESHOLD) this.openUntil = now + COOL_DOWN_MS;
    return this.pauses;
  }

  /** Why nothing may be sent now, or nothing. After the pause, one more failure stops requests again. */
  refusal(now: number): { readonly what: string; readonly details: ErrorDetails } | undefined {
    if (now >= this.openUntil) return undefined;
    const { what, details } = this.lastFailure ?? { what: "", details: {} };
    const isThrottled = this.pauses >= PAUSE_THRESHOLD;
    const reason = isThrottled
      ? `it asked for ${this.pauses} pauses in a row (too many requests)`
      : `its last ${this.failures} requests in a row failed (${what})`;
    const remedy = "run the same command again when the service is back";
    return {
      what: `${reason}, so requests pause for a while`,
      details: { likelyCause: isThrottled ? undefined : details.likelyCause, remedy },
    };
  }
}
