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
  private pausedUntil = 0;
  private nextSlot = 0;
  private silentUntil = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: {
      readonly requestsPerMinute?: number | undefined;
      readonly warn: (text: string) => void;
    },
  ) {}

  /** Runs `send` when it is its turn; rejects if it is cancelled before. */
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

  /** Sends nothing for this many milliseconds. */
  pause(milliseconds: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, Date.now() + milliseconds);
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
    const now = Date.now();
    if (now < this.silentUntil) return;
    this.silentUntil = Math.max(now + ANNOUNCE_EVERY_MS, this.pausedUntil);
    const pause = Math.ceil((this.pausedUntil - now) / 1000);
    const ceiling = this.options.requestsPerMinute;
    const why = ceiling === undefined ? "" : `, at ${ceiling} a minute (tracking:requestsPerMinute)`;
    const reason = pause > 0 ? `: the service asks for a pause of ${pause} s more` : why;
    this.options.warn(`${this.queue.length} requests are waiting for their turn${reason}`);
  }
}
