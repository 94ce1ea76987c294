import type { ApiError, ErrorDetails } from "./api";

/** After this many failures in a row, each of a request that was alone, the service counts as dead. */
const FAILURE_THRESHOLD = 12;
/** How long nothing is sent to it then, in milliseconds. */
const COOL_DOWN_MS = 10_000;

/** What to do about a service that accepts nothing. */
export const WHEN_BACK = "run the same command again when the service is back";

/**
 * Stops all requests of a process to a service that accepts none. It has no clock: callers pass times in milliseconds.
 */
export class CircuitBreaker {
  private failures = 0;
  private openUntil = 0;
  private lastFailure: ApiError | undefined;

  /** The service has accepted a request. */
  succeeded(): void {
    this.failures = 0;
    this.openUntil = 0;
  }

  /** It has not accepted one that was alone. */
  failed(now: number, error: ApiError): void {
    this.failures += 1;
    this.lastFailure = error;
    if (this.failures >= FAILURE_THRESHOLD) this.openUntil = now + COOL_DOWN_MS;
  }

  /**
   * Returns the reason why nothing may be sent now, or undefined. After the pause, one more failure stops requests again.
   *
   * @param address the service's, for the message
   */
  refusal(
    now: number,
    address: string,
  ): { readonly what: string; readonly details: ErrorDetails } | undefined {
    if (now >= this.openUntil) return undefined;
    const { what, details } = this.lastFailure ?? { what: "", details: {} };
    const { status, message = "", likelyCause } = details;
    const words = message === "" ? "" : `: ${message}`;
    return {
      what:
        status === 429
          ? `${address} refused the last ${this.failures} requests as too many (429${words})`
          : `${address}: none of the last ${this.failures} requests succeeded: ${what}`,
      details: { likelyCause, advice: WHEN_BACK },
    };
  }
}
