/** How many retries a process has at the start, and the most that it saves up. */
const CAPACITY = 10;
/** How much of a retry an answered request adds. */
const REFILL = 0.2;

/** How many retries a process may still make: five answered requests pay for one. */
export class RetryBudget {
  private retries = CAPACITY;

  /** Takes the cost of one more attempt, if enough is left. */
  spend(): boolean {
    if (this.retries < 1) return false;
    this.retries -= 1;
    return true;
  }

  /** The service answered anything. */
  refill(): void {
    this.retries = Math.min(CAPACITY, this.retries + REFILL);
  }
}
