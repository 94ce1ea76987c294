import type { Refusal, Sent } from "./concurrency";

/** How many answers are looked back at. */
const RECENT = 32;

/**
 * Tells the 503s of a limiter from those of a service that answers some requests so however few are in flight, such as of one
 * whose workers restart. It has shown that if it refused a request that was alone, and accepts the next one though nothing
 * waited. If it then refuses most, it has a limiter nevertheless, and from then on each 503 counts as one of it.
 */
export class Steadiness {
  private isUnsteady: boolean | undefined;
  private refusals = 0;
  private isRefusedAlone = false;
  /** Whether each of the latest answers was a 503. */
  private readonly recent: boolean[] = [];

  /** The service has accepted a request. Returns whether that shows, for the first time, that its 503s are no limit. */
  accepts({ rank }: Sent): boolean {
    this.note(false);
    const isShown = this.isUnsteady === undefined && this.isRefusedAlone && this.refusals === 1 && rank === 1;
    if (isShown) this.isUnsteady = true;
    this.refusals = 0;
    this.isRefusedAlone = false;
    return isShown;
  }

  /** It has refused one. Returns whether that may be chance, so that the request is to be sent again, and shows no limit. */
  mayBeChance({ status, asksToWait, rank }: Refusal, isPaced: boolean): boolean {
    if (status !== 503 || asksToWait) return false;
    this.note(true);
    this.refusals += 1;
    this.isRefusedAlone = rank === 1 && !isPaced && this.refusals === 1;
    return this.isUnsteady || this.isRefusedAlone;
  }

  private note(is503: boolean): void {
    this.recent.push(is503);
    if (this.recent.length > RECENT) this.recent.shift();
    if (this.isUnsteady && this.recent.filter(Boolean).length > RECENT / 2) this.isUnsteady = false;
  }
}
