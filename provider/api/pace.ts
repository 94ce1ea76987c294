/** The longest distance that a 429 teaches, in milliseconds. */
const MAX_GAP_MS = 10_000;
/** The same of a 503: the service may only have been started again, and would be sent one in ten seconds for that. */
const MAX_BUSY_GAP_MS = 1000;

/**
 * Learns how far apart requests have to be, as behind nginx's `limit_req`: without it, each second one would be refused. It has
 * no clock: callers pass times in milliseconds.
 */
export class Pace {
  /** Milliseconds between two requests; 0 until the service has refused one while no other was in flight. */
  gap = 0;
  /** The longest distance that was too short. */
  private tooShort = 0;
  /** How many were accepted since the gap was learned, and when the first and the latest of them were sent. */
  private accepted = 0;
  private firstAt = 0;
  private latestAt = Number.NEGATIVE_INFINITY;
  /** How many were accepted before that: ten in a row are as many in a row again. */
  private batch = 1;
  /** How long after the latest accepted one the first was sent that was refused since, and the longest distance that this teaches. */
  private refused: { readonly after: number; readonly longest: number } | undefined;

  /** The service has accepted a request that was sent at this time. */
  accepts(at: number): void {
    if (this.refused !== undefined && this.accepted > 0) this.learn(at, this.refused);
    else if (this.gap > 1.05 * this.tooShort) this.gap -= (this.gap - this.tooShort) / (2 * this.batch);
    if (this.accepted === 0) this.firstAt = at;
    this.accepted += 1;
    this.latestAt = at;
    this.refused = undefined;
  }

  /**
   * It has refused one while no other was in flight, so that only the distance can be the reason.
   *
   * @param isLimit whether it says that it limits the requests
   */
  refuses(at: number, isLimit: boolean): void {
    const longest = isLimit ? MAX_GAP_MS : MAX_BUSY_GAP_MS;
    const after = Math.max(0, at - this.latestAt);
    this.refused ??= { after, longest };
    // No distance that it teaches explains this: a window of a minute is used up, or the service is away.
    if (after > longest) this.refused = undefined;
  }

  /** Takes the pace at which the service let requests through: one in a second, or ten until it took the next one after five. */
  private learn(at: number, { after, longest }: { readonly after: number; readonly longest: number }): void {
    this.gap = Math.min((at - this.firstAt) / this.accepted, longest);
    this.tooShort = Math.min(after, this.gap);
    this.batch = this.accepted;
    this.accepted = 0;
  }
}
