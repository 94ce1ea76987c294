/** How many requests to one service are in flight at first. */
const START = 4;
/**
 * How many may be at most. The engine lets an interrupted run finish what it began, so with fewer, many creates would wait
 * for one another.
 */
export const MAX_CONCURRENCY = 16;
/** What remains of the limit after a refusal. */
const DECREASE = 0.7;
/** After a refusal, one more may be in flight after so many rounds: behind `limit_conn 5`, each try of a sixth fails a create. */
const ROUNDS_AFTER_REFUSAL = 32;

/**
 * How many requests may be in flight, by additive increase and multiplicative decrease, as TCP does it: one more after a round,
 * 0.7 of them after a refusal. A round is as many accepted requests as may be in flight.
 */
export class Concurrency {
  limit = START;
  private rounds = 1;
  private accepted = 0;

  /** The service has accepted a request while so many were in flight. */
  accepts(inFlight: number): void {
    // One that does not use the limit says nothing of it.
    if (inFlight < this.limit || this.limit === MAX_CONCURRENCY) return;
    this.accepted += 1;
    if (this.accepted < this.rounds * this.limit) return;
    this.accepted = 0;
    this.limit += 1;
  }

  /** It has refused one of several. */
  refuses(): void {
    this.limit = Math.max(1, Math.floor(this.limit * DECREASE));
    this.rounds = ROUNDS_AFTER_REFUSAL;
    this.accepted = 0;
  }
}
