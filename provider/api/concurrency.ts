/** How many requests to one service are in flight at first. */
const START = 4;
/**
 * How many may be at most. The engine lets an interrupted run finish what it began, so with fewer, many creates would wait
 * for one another.
 */
export const MAX_CONCURRENCY = 16;
/** No number of requests is known to be too many. */
const NONE = MAX_CONCURRENCY + 1;
/** How many requests the service has to accept before as many are in flight again as it refused. */
const PATIENCE = 200;
/** The same if it refused a create, which most often fails then. */
const PATIENCE_FOR_CREATES = 1000;

/** A request that was sent: when (`performance.now()`), and how many were in flight then, with itself. */
export interface Sent {
  readonly at: number;
  readonly rank: number;
  /** Whether it only reads. */
  readonly isRead: boolean;
  /** Whether it creates: if the service is busy, it is not sent again, and fails. */
  readonly isCreate: boolean;
  /** How often it had been sent before. */
  readonly attempts: number;
  /** How many refusals were known then. */
  readonly refusals: number;
}

/** A request that the service has refused. */
export interface Refusal extends Sent {
  /** Whether the answer says that the requests are limited: a 429, or one that names a time to wait. */
  readonly saysLimit: boolean;
}

/**
 * Learns how many requests a service takes at a time, as behind nginx's `limit_conn`. Each round that it accepts allows one
 * more. If it refuses the third, two remain.
 */
export class Concurrency {
  /** How many requests may be in flight. */
  limit = START;
  /** The fewest that were too many. */
  private tooMany = NONE;
  private patience = PATIENCE;
  /** How many it has accepted since the limit changed, with as many in flight as allowed. */
  private accepted = 0;
  /** The most that were in flight when one was sent that it has accepted. */
  private reached = 0;

  /** The service has accepted a request that was sent as the `rank`th, and now so many are in flight. */
  accepts(rank: number, inFlight: number): void {
    this.reached = Math.max(rank, this.reached);
    if (rank >= this.tooMany) this.tooMany = NONE;
    if (inFlight < this.limit || this.limit === MAX_CONCURRENCY) return;
    this.accepted += 1;
    // One more a round, not one more an answer: of answers that come together, each would open a lane before a refusal is known.
    if (this.accepted < (this.limit + 1 >= this.tooMany ? this.patience : this.limit)) return;
    this.accepted = 0;
    this.limit += 1;
  }

  /**
   * How many refusals in a row show that the number was too large. If five were accepted at a time and the sixth is refused,
   * that is probably a limit, and another try costs a create. If sixteen were, the sixteenth was probably refused by chance.
   */
  enough({ rank, isCreate }: Sent): number {
    if (rank > this.reached) return isCreate ? 1 : 2;
    return this.tooMany === NONE ? 6 : 1;
  }

  /** It has refused one that was not alone: the first of those that were in flight together. */
  refuses({ rank, saysLimit, isCreate }: Refusal): void {
    this.accepted = 0;
    this.patience = isCreate ? PATIENCE_FOR_CREATES : PATIENCE;
    const half = Math.ceil(this.limit / 2);
    // If it has accepted as many before, it takes fewer by now, and nobody knows how many.
    const isOneTooMany = saysLimit || rank > this.reached;
    this.limit = isOneTooMany ? Math.min(this.limit, Math.max(rank - 1, half)) : half;
    this.tooMany = isOneTooMany ? this.limit + 1 : Math.min(this.tooMany, rank);
  }

  /** Its refusals say nothing of a number. */
  forget(): void {
    this.limit = MAX_CONCURRENCY;
    this.tooMany = NONE;
    this.reached = 0;
  }
}
