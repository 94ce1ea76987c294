import type { Refusal, Sent } from "./concurrency";

/** So many refusals in a row are no chance, even of a service that refuses some by chance. */
const MAX_IN_ROW = 12;
/** A request that leaves within so many milliseconds of a refusal has not waited, so that no limit has passed meanwhile. */
const AT_ONCE_MS = 20;

/** How many reads, or writes, were refused in a row, and the fewest that were in flight when one of them was sent. */
class Streak {
  length = 0;
  rank = Number.POSITIVE_INFINITY;
}

/**
 * Tells the refusals of a limiter from those of a service that refuses some requests by chance, such as of one whose workers
 * restart. A single one may be chance, so the request is sent again at once.
 */
export class Steadiness {
  /** Whether the service is known to refuse some by chance. */
  private isUnsteady = false;
  /** A service that is read-only for an hour accepts each read, which says nothing of the writes. */
  private readonly reads = new Streak();
  private readonly writes = new Streak();
  /** When it has refused one that was alone, if none was accepted since. */
  private refusedAloneAt = Number.NEGATIVE_INFINITY;

  /** The service has accepted a request. Returns whether that shows, for the first time, that it refuses some by chance. */
  accepts(sent: Sent): boolean {
    // One that is less demanding says nothing of those that were refused.
    if (sent.rank >= this.streakOf(sent).rank) this.end(sent);
    const isShown = !this.isUnsteady && sent.rank === 1 && sent.at < this.refusedAloneAt + AT_ONCE_MS;
    this.isUnsteady ||= isShown;
    this.refusedAloneAt = Number.NEGATIVE_INFINITY;
    return isShown;
  }

  /**
   * It has refused one. Returns whether that may be chance.
   *
   * @param enough so many in a row show a limit
   */
  mayBeChance(refusal: Refusal, enough: number): boolean {
    const streak = this.streakOf(refusal);
    streak.length += 1;
    streak.rank = Math.min(streak.rank, refusal.rank);
    const isChance = streak.length < (this.isUnsteady ? MAX_IN_ROW : enough);
    const isAlone = refusal.rank === 1;
    if (isAlone && !isChance) this.isUnsteady = false;
    this.refusedAloneAt = isAlone && isChance ? performance.now() : Number.NEGATIVE_INFINITY;
    return isChance;
  }

  /** A limit explains the refusals in a row of a kind. Returns the fewest that were too many. */
  end(sent: Sent): number {
    const streak = this.streakOf(sent);
    const { rank } = streak;
    Object.assign(streak, new Streak());
    return rank;
  }

  private streakOf({ isRead }: Sent): Streak {
    return isRead ? this.reads : this.writes;
  }
}
