/** Retries that a process may make before any request has been answered, and at most saves up. */
const CAPACITY = 10;
/** What an answered request adds to them. */
const REFILL = 0.2;

/** How many retries a process may still make: each is paid for by five requests that were answered. */
export class RetryBudget {
  private retries = CAPACITY;

  /** Takes what one more attempt costs, if there is still enough. */
  spend(): boolean {
    if (this.retries < 1) return false;
    this.retries -= 1;
    return true;
  }

  /** The service answered, whatever it said. */
  refill(): void {
    this.retries = Math.min(CAPACITY, this.retries + REFILL);
  }
}
