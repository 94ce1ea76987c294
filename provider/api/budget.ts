/** Retries that a process may make before any request has been answered, and at most saves up. */
const RETRIES = 10;
/** What an answered request adds to them. */
const EARNED = 0.2;
/** So many failures in a row, and the service is taken for dead. */
const DEAD = 12;
/** So many requests in a row that were turned away: all that may be under way, and a few to see whether it is over. */
const THROTTLED = 20;
/** So long nothing is sent to it then, in milliseconds. */
const REST = 10_000;

/**
 * What a process may spend on a service that does not answer: retries are paid for by requests that were
 * answered, and a service that has failed again and again is left alone for a while. Knows no clock: times are
 * handed in, in milliseconds.
 */
export class Budget {
  private retries = RETRIES;
  private failures = 0;
  private throttles = 0;
  private restsUntil = 0;

  /** Takes what one more attempt costs, if there is still enough. */
  spend(): boolean {
    if (this.retries < 1) return false;
    this.retries -= 1;
    return true;
  }

  /** The service answered, whatever it said. */
  answered(): void {
    this.failures = 0;
    this.throttles = 0;
    this.retries = Math.min(RETRIES, this.retries + EARNED);
  }

  /** No answer, or one that only says that the service is broken. */
  failed(now: number): void {
    this.failures += 1;
    if (this.failures >= DEAD) this.restsUntil = now + REST;
  }

  /** A request was turned away. Whether it may be sent again. */
  throttled(now: number): boolean {
    this.throttles += 1;
    if (this.throttles >= THROTTLED) this.restsUntil = now + REST;
    return this.throttles < THROTTLED;
  }

  /** Why nothing may be sent now, if so. After a rest, one failure more begins the next. */
  refusal(now: number): string | undefined {
    if (now >= this.restsUntil) return undefined;
    const what =
      this.throttles < THROTTLED
        ? `its last ${this.failures} requests in a row failed`
        : `it turned its last ${this.throttles} requests in a row away (too many requests)`;
    return `${what}, and it is left alone for a while; run the same command again when the service is back`;
  }
}
