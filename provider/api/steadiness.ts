import type { Refusal, Sent } from "./concurrency";

/** So many 503s in a row, of the reads or of the writes, are no chance. */
const MAX_IN_ROW = 12;

/**
 * Tells the 503s of a limiter from those of a service that answers some requests so however few are in flight, such as of one
 * whose workers restart. It has shown that if it refused a request that was alone, and accepts the next one though nothing
 * waited. If it then refuses many reads or writes in a row, it has a limiter nevertheless, and from then on each 503 counts as one of it.
 */
export class Steadiness {
  private isUnsteady: boolean | undefined;
  private refusals = 0;
  private isRefusedAlone = false;
  /** How many of a kind it has refused since it accepted one: of those that only read, and of the others. */
  private readonly inRow = new Map<boolean, number>();

  /** The service has accepted a request. Returns whether that shows, for the first time, that its 503s are no limit. */
  accepts({ rank, isRead }: Sent): boolean {
    const isShown = this.isUnsteady === undefined && this.isRefusedAlone && rank === 1;
    if (isShown) this.isUnsteady = true;
    this.refusals = 0;
    this.inRow.set(isRead, 0);
    this.isRefusedAlone = false;
    return isShown;
  }

  /** It has refused one. Returns whether that may be chance, so that the request is to be sent again, and shows no limit. */
  mayBeChance({ status, asksToWait, rank, isRead }: Refusal, isPaced: boolean): boolean {
    if (status !== 503 || asksToWait) return false;
    this.refusals += 1;
    const inRow = (this.inRow.get(isRead) ?? 0) + 1;
    this.inRow.set(isRead, inRow);
    if (this.isUnsteady && inRow > MAX_IN_ROW) this.isUnsteady = false;
    this.isRefusedAlone = rank === 1 && !isPaced && this.refusals === 1 && inRow === 1;
    return this.isUnsteady || this.isRefusedAlone;
  }
}
