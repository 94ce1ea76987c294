/** How many requests to one service are in flight at first. Of four, `limit_conn 2` would fail two creates in each run. */
const START = 2;
/** Until the first refusal, one more may be in flight after so many are accepted. After each one, the next would leave before a refusal is known. */
const ACCEPTED_AT_FIRST = 2;
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
 * How many requests may be in flight, as TCP learns it. Until the first refusal their number grows by half in a round, which is as
 * many accepted requests as may be in flight. Then 0.7 of them remain after a refusal, and one more is tried after 32 rounds.
 */
export class Concurrency {
  limit = START;
  private hasRefused = false;
  private accepted = 0;

  /** The service has accepted a request while so many were in flight. */
  accepts(inFlight: number): void {
    // One that does not use the limit says nothing of it.
    if (inFlight < this.limit || this.limit === MAX_CONCURRENCY) return;
    this.accepted += 1;
    if (this.accepted < (this.hasRefused ? ROUNDS_AFTER_REFUSAL * this.limit : ACCEPTED_AT_FIRST)) return;
    this.accepted = 0;
    this.limit += 1;
  }

  /** It has refused one of several. */
  refuses(): void {
    this.limit = Math.max(1, Math.floor(this.limit * DECREASE));
    this.hasRefused = true;
    this.accepted = 0;
  }
}
