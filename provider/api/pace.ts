/** The longest distance between two requests that is learned, in milliseconds. */
const MAX_GAP_MS = 10_000;

/**
 * Learns how far apart requests must be for a service that accepts one after each pause, and none beside it. It has no clock:
 * callers pass times in milliseconds.
 */
export class Pace {
  /** Milliseconds between two requests; 0 if the service accepts several in a row. */
  gap = 0;
  private tooShort = 0;
  private acceptedAt = Number.NEGATIVE_INFINITY;
  /** How many requests it has accepted since it refused one. */
  private accepted = 0;
  /** How long after an accepted request it has refused one, if that was the last. */
  private refusedAfter: number | undefined;

  /** When the next request may be sent. */
  get next(): number {
    return this.acceptedAt + this.gap;
  }

  accepts(sentAt: number): void {
    if (this.refusedAfter !== undefined) {
      const enough = sentAt - this.acceptedAt;
      this.gap = Math.min(enough, this.accepted === 1 ? MAX_GAP_MS : 2 * this.gap);
      this.tooShort = this.refusedAfter;
      this.refusedAfter = undefined;
      this.accepted = 0;
    } else if (this.gap > 1.05 * this.tooShort) this.gap = (this.gap + this.tooShort) / 2;
    this.accepted += 1;
    this.acceptedAt = sentAt;
  }

  refuses(sentAt: number): void {
    this.refusedAfter ??= Math.max(0, sentAt - this.acceptedAt);
  }
}
