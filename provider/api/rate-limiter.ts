import { MAX_EVIDENCE_AGE_MS } from "./api";

/**
 * How many requests to one service may be in flight at once. The engine lets an interrupted run finish what it began,
 * so with fewer, many creates would wait for one another.
 */
const MAX_CONCURRENCY = 16;
/** A wait longer than this is announced. */
const ANNOUNCE_AFTER_MS = 5000;
/** How long an announcement counts. */
const ANNOUNCE_EVERY_MS = 30_000;

/**
 * Paces all requests of a process to one service: a few at a time, none while the service asks for a pause, one by one
 * once it says that none are left, and no faster than a configured limit.
 */
export class RateLimiter {
  private readonly queue: (() => void)[] = [];
  private inFlight = 0;
  /** How many requests the service will still accept; infinite if it does not say. */
  private left = Number.POSITIVE_INFINITY;
  /** The service's last word on how many are left. */
  private lastRemaining = Number.POSITIVE_INFINITY;
  /** When the latest pause began, and when it ends (`performance.now()`). */
  private pausedAt = Number.NEGATIVE_INFINITY;
  private pausedUntil = 0;
  /** How many pauses in a row the service has asked for. */
  private pauses = 0;
  private nextSlot = 0;
  private silentUntil = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: {
      readonly requestsPerMinute?: number | undefined;
      readonly warn: (text: string) => void;
    },
  ) {}

  /** Runs `send` when it is its turn, or as the next one; rejects if it is cancelled before. */
  async run<T>(send: () => Promise<T>, signal?: AbortSignal, isNext = false): Promise<T> {
    const waiting = setTimeout(() => this.announceWaiting(), ANNOUNCE_AFTER_MS);
    await this.turn(signal, isNext).finally(() => clearTimeout(waiting));
    try {
      return await send();
    } finally {
      this.inFlight -= 1;
      this.admit();
    }
  }

  /**
   * Takes the limit that an answer announces; call it before `send` of this request resolves.
   *
   * @param remaining how many requests the service will still accept, if it says so
   */
  update(remaining = Number.POSITIVE_INFINITY): void {
    // Requests in flight may not be counted yet.
    const left = remaining - (this.inFlight - 1);
    // Answers overtake one another: an older one announces slightly more. A new window announces much more.
    const overtaken = remaining > this.lastRemaining && remaining < this.lastRemaining + MAX_CONCURRENCY;
    this.left = overtaken && this.inFlight > 1 ? Math.min(left, this.left) : left;
    this.lastRemaining = remaining;
  }

  /** The service has accepted a request. */
  accepted(): void {
    this.pauses = 0;
  }

  /** It throttled one that was sent at this time. Returns its pauses in a row: all in flight ask for the same one. */
  throttled(sentAt: number): number {
    if (sentAt > this.pausedAt) this.pauses += 1;
    return this.pauses;
  }

  /** Sends nothing for this many milliseconds. */
  pause(milliseconds: number): void {
    this.pausedAt = performance.now();
    this.pausedUntil = Math.max(this.pausedUntil, this.pausedAt + milliseconds);
  }

  /** Whether an answer that was asked for at this time is too old to delete anything, or from before a pause. */
  isOutdated(askedAt: number): boolean {
    // With a ceiling, the next request may have to wait longer.
    const age = Math.max(MAX_EVIDENCE_AGE_MS, 2 * this.interval);
    return askedAt <= this.pausedAt || performance.now() - askedAt > age;
  }

  /** How many milliseconds lie between two requests. */
  private get interval(): number {
    const { requestsPerMinute } = this.options;
    return requestsPerMinute === undefined ? 0 : 60_000 / requestsPerMinute;
  }

  private turn(signal: AbortSignal | undefined, isNext: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const leave = () => {
        this.queue.splice(this.queue.indexOf(begin), 1);
        reject(signal?.reason);
      };
      const begin = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      signal?.addEventListener("abort", leave);
      if (isNext) this.queue.unshift(begin);
      else this.queue.push(begin);
      this.admit();
    });
  }

  private admit(): void {
    while (this.queue.length > 0 && this.inFlight < (this.left > 0 ? MAX_CONCURRENCY : 1)) {
      const wait = Math.max(this.pausedUntil, this.nextSlot) - performance.now();
      if (wait > 0) {
        this.timer ??= setTimeout(() => {
          this.timer = undefined;
          this.admit();
        }, wait);
        return;
      }
      this.nextSlot = performance.now() + this.interval;
      this.inFlight += 1;
      this.left -= 1;
      this.queue.shift()?.();
    }
  }

  private announceWaiting(): void {
    const now = performance.now();
    if (now < this.silentUntil) return;
    this.silentUntil = Math.max(now + ANNOUNCE_EVERY_MS, this.pausedUntil);
    const pause = Math.ceil((this.pausedUntil - now) / 1000);
    const ceiling = this.options.requestsPerMinute;
    const why = ceiling === undefined ? "" : `, at ${ceiling} a minute (tracking:requestsPerMinute)`;
    const reason = pause > 0 ? `: the service asks for a pause of ${pause} s more` : why;
    this.options.warn(`requests are waiting for their turn (${this.queue.length})${reason}`);
  }
}
