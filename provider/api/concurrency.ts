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
/** The same if it refused with a 503, since a create that meets one fails. */
const PATIENCE_503 = 1000;

/** A request that was sent: when (`performance.now()`), and how many were in flight then, with itself. */
export interface Sent {
  readonly at: number;
  readonly rank: number;
  /** Whether it only reads. */
  readonly isRead: boolean;
  /** How often it had been sent before. */
  readonly attempts: number;
  /** How many refusals were known then. */
  readonly refusals: number;
}

/** A request that the service has refused. */
export interface Refusal extends Sent {
  readonly status: number;
  /** Whether it named a time to wait. */
  readonly asksToWait: boolean;
}

/**
 * Learns how many requests a service takes at a time, as behind nginx's `limit_conn`. Each that it accepts allows one more. If
 * it refuses the third, two remain.
 */
export class Concurrency {
  /** How many requests may be in flight. */
  limit = START;
  /** The fewest that were too many. */
  private tooMany = NONE;
  private patience = PATIENCE;
  /** How many it has accepted since the limit changed, with as many in flight as allowed. */
  private accepted = 0;

  /** The service has accepted a request that was sent as the `rank`th, and now so many are in flight. */
  accepts(rank: number, inFlight: number): void {
    if (rank >= this.tooMany) this.tooMany = NONE;
    if (inFlight < this.limit || this.limit === MAX_CONCURRENCY) return;
    this.accepted += 1;
    if (this.limit + 1 >= this.tooMany && this.accepted < this.patience) return;
    this.accepted = 0;
    this.limit += 1;
  }

  /** It has refused one that was not alone: the first of those that were in flight together. */
  refuses({ rank, status }: Refusal): void {
    this.limit = Math.min(this.limit, Math.max(rank - 1, Math.ceil(this.limit / 2)));
    this.tooMany = this.limit + 1;
    this.accepted = 0;
    this.patience = status === 503 ? PATIENCE_503 : PATIENCE;
  }

  /** Its refusals say nothing of a number. */
  forget(): void {
    this.limit = MAX_CONCURRENCY;
    this.tooMany = NONE;
  }
}
