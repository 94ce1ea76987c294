/** So many failures in a row, and the service is taken for dead. */
const FAILURE_THRESHOLD = 12;
/** So many requests in a row that were turned away: all that may be under way, and a few to see whether it is over. */
const THROTTLE_THRESHOLD = 20;
/** So long nothing is sent to it then, in milliseconds. */
const COOL_DOWN_MS = 10_000;

/**
 * Stops all requests of a process to a service that has failed, or turned requests away, again and again. Knows no
 * clock: times are handed in, in milliseconds.
 */
export class CircuitBreaker {
  private failures = 0;
  private throttles = 0;
  private openUntil = 0;

  /** The service answered, whatever it said. */
  succeeded(): void {
    this.failures = 0;
    this.throttles = 0;
  }

  /** No answer, or one that only says that the service is broken. */
  failed(now: number): void {
    this.failures += 1;
    if (this.failures >= FAILURE_THRESHOLD) this.openUntil = now + COOL_DOWN_MS;
  }

  /** A request was turned away. Whether it may be sent again. */
  throttled(now: number): boolean {
    this.throttles += 1;
    if (this.throttles >= THROTTLE_THRESHOLD) this.openUntil = now + COOL_DOWN_MS;
    return this.throttles < THROTTLE_THRESHOLD;
  }

  /** Why nothing may be sent now, if so. After it has cooled down, one failure more opens it again. */
  refusal(now: number): string | undefined {
    if (now >= this.openUntil) return undefined;
    const what =
      this.throttles < THROTTLE_THRESHOLD
        ? `its last ${this.failures} requests in a row failed`
        : `it turned its last ${this.throttles} requests in a row away (too many requests)`;
    return `${what}, and it is left alone for a while; run the same command again when the service is back`;
  }
}
