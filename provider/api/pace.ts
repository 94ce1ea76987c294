import type { Refusal } from "./concurrency";

/** The longest distance between two requests that is learned, in milliseconds. */
const MAX_GAP_MS = 10_000;
/**
 * Learns how far apart requests have to be, as behind nginx's `limit_req` with one a second, or behind a window of ten in five
 * seconds. It has no clock: callers pass times in milliseconds.
 */
export class Pace {
  /** Milliseconds between two requests; 0 until the service has refused one. */
  gap = 0;
  /** The longest distance that was too short. */
  private tooShort = 0;
  /** When the latest request was sent that was accepted, and the first one since the gap was learned. */
  private acceptedAt = Number.NEGATIVE_INFINITY;
  private firstAt = Number.NEGATIVE_INFINITY;
  /** How many were accepted since, and between the two refusals before. */
  private accepted = 0;
  private batch = 1;
  /** The first refusal since an accepted request, and how long after that it was sent. */
  private refused: { readonly after: number; readonly refusal: Refusal } | undefined;

  /** When the next request may be sent. */
  get next(): number {
    return this.acceptedAt + this.gap;
  }

  accepts(sentAt: number): void {
    if (this.refused !== undefined && this.accepted > 0) this.learn(sentAt);
    else if (this.gap > 1.05 * this.tooShort) this.gap -= (this.gap - this.tooShort) / (2 * this.batch);
    if (this.accepted === 0) this.firstAt = sentAt;
    this.accepted += 1;
    this.acceptedAt = sentAt;
    this.refused = undefined;
  }

  /** It has refused one that was alone. */
  refuses(refusal: Refusal): void {
    this.refused ??= { after: Math.max(0, refusal.at - this.acceptedAt), refusal };
  }

  /** Takes the time from one pause to the next, by the requests that were accepted in it. */
  private learn(sentAt: number): void {
    const { accepted, refused } = this;
    const enough = (sentAt - this.firstAt) / accepted;
    this.gap = Math.min(enough, MAX_GAP_MS);
    this.tooShort = Math.min(refused?.after ?? 0, this.gap);
    this.batch = accepted;
    this.accepted = 0;
  }
}
