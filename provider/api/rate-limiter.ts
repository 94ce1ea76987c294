/**
 * How many requests may be under way at once to one service: enough that an interrupted run, which the engine lets
 * end what it has begun, does not make many creates wait for one another.
 */
const MAX_CONCURRENCY = 16;
/** A wait longer than this is said. */
const ANNOUNCE_AFTER_MS = 5000;
/** So long it stays said. */
const ANNOUNCE_EVERY_MS = 30_000;

/**
 * Paces all requests of a process to one service: a few at a time, none while the service asks for a pause, one
 * by one where it has said that no more are left, and no faster than a ceiling where one is set.
 */
export class RateLimiter {
  private readonly queue: (() => void)[] = [];
  private inFlight = 0;
  /** Requests that may still leave before the service turns them away; without end where it does not say. */
  private left = Number.POSITIVE_INFINITY;
  /** What the service said last of how many are left. */
  private lastRemaining = Number.POSITIVE_INFINITY;
  private pausedUntil = 0;
  private nextSlot = 0;
  private silentUntil = 0;
  /** The end of the last pause that was said. */
  private announced = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: {
      readonly requestsPerMinute?: number | undefined;
      readonly warn: (text: string) => void;
    },
  ) {}

  /** Runs `send` when it is its turn, or rejects where it is cancelled before. */
  async run<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const waiting = setTimeout(() => this.announceWaiting(), ANNOUNCE_AFTER_MS);
    await this.turn(signal).finally(() => clearTimeout(waiting));
    try {
      return await send();
    } finally {
      this.inFlight -= 1;
      this.admit();
    }
  }

  /**
   * What an answer said of the pace, to be told while its request is still passing.
   *
   * @param remaining requests that the service will take before it turns them away, if it says so
   */
  update(remaining = Number.POSITIVE_INFINITY): void {
    // Of those under way, some may not have been counted yet.
    const left = remaining - (this.inFlight - 1);
    // Answers overtake one another: an earlier one says that a little more is left. A new window begins with a lot.
    const overtaken = remaining > this.lastRemaining && remaining < this.lastRemaining + MAX_CONCURRENCY;
    this.left = overtaken && this.inFlight > 1 ? Math.min(left, this.left) : left;
    this.lastRemaining = remaining;
  }

  /** Nothing leaves for so many milliseconds. */
  pause(milliseconds: number): void {
    const until = Date.now() + milliseconds;
    if (until <= this.pausedUntil) return;
    this.pausedUntil = until;
    if (milliseconds <= ANNOUNCE_AFTER_MS) return;
    this.silentUntil = until;
    // Requests that were under way together are turned away together, and told the same a moment apart.
    if (until - this.announced <= ANNOUNCE_AFTER_MS) return;
    this.announced = until;
    this.options.warn(`the service asks for a pause of ${Math.ceil(milliseconds / 1000)} s; waiting`);
  }

  private turn(signal: AbortSignal | undefined): Promise<void> {
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
      this.queue.push(begin);
      this.admit();
    });
  }

  private admit(): void {
    while (this.queue.length > 0 && this.inFlight < (this.left > 0 ? MAX_CONCURRENCY : 1)) {
      const wait = Math.max(this.pausedUntil, this.nextSlot) - Date.now();
      if (wait > 0) {
        this.timer ??= setTimeout(() => {
          this.timer = undefined;
          this.admit();
        }, wait);
        return;
      }
      const { requestsPerMinute } = this.options;
      this.nextSlot = requestsPerMinute === undefined ? 0 : Date.now() + 60_000 / requestsPerMinute;
      this.inFlight += 1;
      this.left -= 1;
      this.queue.shift()?.();
    }
  }

  private announceWaiting(): void {
    if (Date.now() < this.silentUntil) return;
    this.silentUntil = Date.now() + ANNOUNCE_EVERY_MS;
    const ceiling = this.options.requestsPerMinute;
    const why = ceiling === undefined ? "" : `, at ${ceiling} a minute (tracking:requestsPerMinute)`;
    this.options.warn(`${this.queue.length} requests are waiting for their turn${why}`);
  }
}
