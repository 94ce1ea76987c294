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

/** So many in a row show no limit if the service answers some requests with a 503 whatever is in flight. */
const FEW_503S = 2;

/** A request that was sent: when (`performance.now()`), and how many were in flight then, with itself. */
export interface Sent {
  readonly at: number;
  readonly rank: number;
}

/** A request that the service has refused. */
export interface Refusal extends Sent {
  readonly status: number;
  /** Whether it named a time to wait. */
  readonly asksToWait: boolean;
}

/** Whether a refusal comes from a limiter. A 503 may also be the fault of this one request, such as of a worker that restarts. */
export function isCertain({ status, asksToWait }: Refusal): boolean {
  return asksToWait || status === 429;
}

/**
 * Learns how many requests a service takes at a time, as behind nginx's `limit_conn`. Each that it accepts allows one more. If
 * it refuses the third, two remain.
 */
export class Concurrency {
  /** How many requests may be in flight. */
  limit = START;
  /** The fewest that were too many, when that was learned, and the most that were not since. */
  private tooMany = NONE;
  private learnedAt = Number.NEGATIVE_INFINITY;
  private proven = 0;
  private patience = PATIENCE;
  /** How many it has accepted since the limit changed, with as many in flight as allowed. */
  private accepted = 0;
  /** Whether 503s have come that showed no limit, and how many 503s since an accepted request. */
  private isUnsteady = false;
  private in503s = 0;

  /** The service has accepted a request, when so many were in flight. */
  accepts({ at, rank }: Sent, inFlight: number): void {
    this.in503s = 0;
    // One that was sent beside refused ones had a lower rank there.
    if (at > this.learnedAt) this.proven = Math.max(this.proven, rank);
    if (this.proven >= this.tooMany) this.tooMany = NONE;
    if (inFlight < this.limit || this.limit === MAX_CONCURRENCY) return;
    this.accepted += 1;
    if (this.limit + 1 >= this.tooMany && this.accepted < this.patience) return;
    this.accepted = 0;
    this.limit += 1;
  }

  /**
   * It has refused one. Returns whether that shows a limit. A 503 does not if as many were just accepted, nor a few 503s of a
   * service that answers some so whatever is in flight.
   */
  refuses(refusal: Refusal, now: number): boolean {
    const { rank, status } = refusal;
    this.in503s += 1;
    const isSteady = !this.isUnsteady || this.in503s > FEW_503S;
    if (!isCertain(refusal) && (rank <= this.proven || !isSteady)) {
      this.proven = rank - 1;
      return false;
    }
    this.limit = Math.min(this.limit, Math.max(rank - 1, Math.ceil(this.limit / 2)));
    this.tooMany = this.limit + 1;
    this.learnedAt = now;
    this.proven = 0;
    this.accepted = 0;
    this.patience = status === 503 ? PATIENCE_503 : PATIENCE;
    return true;
  }

  /** A refusal showed no limit, so the earlier ones did not either. */
  forget(): void {
    this.isUnsteady = true;
    this.tooMany = NONE;
  }
}
