import type { Refusal } from "./concurrency";

/** The longest distance between two requests that is learned, in milliseconds. */
export const MAX_GAP_MS = 10_000;

/** The service accepts none. */
interface Stop {
  /** How long after the latest accepted one the first one was sent that was refused. */
  readonly after: number;
  /** Whether it is no chance, and whether it shows a limit. */
  isCertain: boolean;
  isLimit: boolean;
}

/**
 * Learns how far apart requests have to be, as behind nginx's `limit_req` with one a second, or behind a window of ten in five
 * seconds. It has no clock: callers pass times in milliseconds.
 */
export class Pace {
  /** Milliseconds between two requests; 0 until the service has refused one. */
  gap = 0;
  /** The longest distance that was too short. */
  private tooShort = 0;
  /** How many requests were accepted since the gap was learned, and when the first and the latest of them were sent. */
  private accepted = 0;
  private firstAt = Number.NEGATIVE_INFINITY;
  private latestAt = Number.NEGATIVE_INFINITY;
  /** How many were accepted before that, after the refusal before. */
  private batch = 1;
  /** What it has refused since. */
  private stop: Stop | undefined;
  /** How often it stopped without saying why. Once shows no limit: it may have been restarted. */
  private stops = 0;
  /** The shortest distance between two that were accepted since there is a gap. */
  private shortest = Number.POSITIVE_INFINITY;

  /** The service has accepted a request that was sent at this time. */
  accepts(at: number): void {
    if (this.gap > 0) this.shortest = Math.min(this.shortest, at - this.latestAt);
    if (this.stop?.isLimit && this.accepted > 0) this.learn(at, this.stop.after);
    else if (this.gap > 1.05 * this.tooShort) this.gap -= (this.gap - this.tooShort) / (2 * this.batch);
    if (this.accepted === 0) this.firstAt = at;
    this.accepted += 1;
    this.latestAt = at;
    this.stop = undefined;
  }

  /** It has refused one that was alone, maybe by chance. */
  notes(at: number): Stop {
    this.stop ??= { after: Math.max(0, at - this.latestAt), isCertain: false, isLimit: false };
    return this.stop;
  }

  /** It has refused one that was alone, and not by chance. */
  refuses({ at, saysLimit }: Pick<Refusal, "at" | "saysLimit">): void {
    const stop = this.notes(at);
    if (!saysLimit && !stop.isCertain) this.stops += 1;
    stop.isCertain = true;
    stop.isLimit ||= saysLimit || this.stops > 1;
  }

  /** Its refusals say nothing of a distance. */
  forget(): void {
    this.gap = 0;
    this.tooShort = 0;
    this.accepted = 0;
    this.batch = 1;
    this.stop = undefined;
    this.shortest = Number.POSITIVE_INFINITY;
  }

  /** Whether a distance explains that one is refused that was alone: not if one was accepted that came twice as soon. */
  explains(at: number): boolean {
    return this.gap === 0 || this.stop !== undefined || at - this.latestAt < 2 * this.shortest;
  }

  /** Takes the pace at which the service has let requests through: one in a second, or ten until it took the next one after five. */
  private learn(at: number, refusedAfter: number): void {
    this.gap = Math.min((at - this.firstAt) / this.accepted, MAX_GAP_MS);
    this.tooShort = Math.min(refusedAfter, this.gap);
    this.batch = this.accepted;
    this.accepted = 0;
  }
}
