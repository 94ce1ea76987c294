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
/** The same if it refused with another status, such as a 503, since a create that meets one fails. */
const PATIENCE_503 = 1000;
/** How many it has to accept at half the number before that grows. */
const TRIAL = 20;

/** A request that was sent: when (`performance.now()`), and how many were in flight then, with itself. */
export interface Sent {
  readonly at: number;
  readonly rank: number;
  /** Whether it only reads. */
  readonly isRead: boolean;
  /** Whether it creates: if it meets a 503, it is not sent again, and fails. */
  readonly isCreate: boolean;
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
  /** The most that were in flight when one was sent that it has accepted. */
  private reached = 0;
  /** How often in a row half as many were tried, and how many more it has to accept at that number. */
  private halvings = 0;
  private trial = 0;

  /** The service has accepted a request that was sent as the `rank`th, and now so many are in flight. */
  accepts(rank: number, inFlight: number): void {
    this.reached = Math.max(rank, this.reached);
    if (rank >= this.tooMany) this.tooMany = NONE;
    if (inFlight < this.limit || this.limit === MAX_CONCURRENCY) return;
    if (this.trial > 0) {
      this.trial -= 1;
      return;
    }
    this.halvings = 0;
    this.accepted += 1;
    if (this.limit + 1 >= this.tooMany && this.accepted < this.patience) return;
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

  /**
   * It has refused one that was not alone: the first of those that were in flight together. Returns whether the number explains
   * that. It does not if as many were accepted before, and half of them are refused too, and half of those.
   */
  refuses({ rank, status }: Refusal): boolean {
    this.accepted = 0;
    this.patience = status === 429 ? PATIENCE : PATIENCE_503;
    if (status === 429 || rank > this.reached) {
      this.limit = Math.min(this.limit, Math.max(rank - 1, Math.ceil(this.limit / 2)));
      this.tooMany = this.limit + 1;
      return true;
    }
    this.tooMany = Math.min(this.tooMany, rank);
    this.limit = Math.ceil(this.limit / 2);
    this.trial = TRIAL;
    this.halvings += 1;
    return this.halvings <= 2;
  }

  /** Its refusals say nothing of a number. */
  forget(): void {
    this.limit = MAX_CONCURRENCY;
    this.tooMany = NONE;
    this.reached = 0;
    this.halvings = 0;
    this.trial = 0;
  }
}
