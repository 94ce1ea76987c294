import { Pace } from "./pace";

/**
 * How many requests to one service may be in flight at once. The engine lets an interrupted run finish what it began,
 * so with fewer, many creates would wait for one another.
 */
const MAX_CONCURRENCY = 16;
/** A wait longer than this is announced. */
const ANNOUNCE_AFTER_MS = 5000;
/** How long an announcement counts. */
const ANNOUNCE_EVERY_MS = 30_000;

/** How a request waits for its turn. */
interface Turn {
  /** Whether it only looks: looks leave before all that waits. */
  readonly isLook?: boolean;
  /** Whether it was sent already: then it leaves as the next of its kind. */
  readonly isRepeated?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** When it is its turn: returns the reason why it is not sent, or undefined. */
  readonly refusal?: () => Error | undefined;
}

/** A request that waits. */
interface Waiting extends Turn {
  begin(): void;
  reject(reason: unknown): void;
}

/**
 * Paces all requests of a process to one service: a few at a time, none while the service asks for a pause, one by one
 * once it says that none are left, and no faster than a configured limit, or than it accepts them.
 */
export class RateLimiter {
  private readonly looks: Waiting[] = [];
  private readonly others: Waiting[] = [];
  private readonly pace = new Pace();
  private inFlight = 0;
  /** How many requests the service will still accept; infinite if it does not say. */
  private left = Number.POSITIVE_INFINITY;
  /** When the latest pause began, and when it ends (`performance.now()`). */
  private pausedAt = Number.NEGATIVE_INFINITY;
  private pausedUntil = 0;
  /** How many pauses in a row the service has asked for. */
  private pauses = 0;
  private nextSlot = 0;
  private silentUntil = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly warn: (text: string) => void,
    private readonly requestsPerMinute?: number,
  ) {}

  /** Runs `send` when it is its turn; rejects if it is cancelled before. */
  async run<T>(send: () => Promise<T>, turn: Turn = {}): Promise<T> {
    const waiting = setTimeout(() => this.announceWaiting(), ANNOUNCE_AFTER_MS);
    await this.turn(turn).finally(() => clearTimeout(waiting));
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
    const isOlder = this.inFlight > 1 && left < this.left + MAX_CONCURRENCY;
    this.left = isOlder ? Math.min(left, this.left) : left;
  }

  /** The service has accepted a request that was sent at this time. */
  accepted(sentAt: number): void {
    this.pauses = 0;
    this.pace.accepts(sentAt);
  }

  /** It throttled one that was sent at this time. Returns its pauses in a row: all in flight ask for the same one. */
  throttled(sentAt: number): number {
    if (sentAt > this.pausedAt) this.pauses += 1;
    this.pace.refuses(sentAt);
    return this.pauses;
  }

  /** Sends nothing for this many milliseconds. */
  pause(milliseconds: number): void {
    this.pausedAt = performance.now();
    this.pausedUntil = Math.max(this.pausedUntil, this.pausedAt + milliseconds);
  }

  private async turn(turn: Turn): Promise<void> {
    const { signal, isLook, isRepeated } = turn;
    signal?.throwIfAborted();
    const { promise, resolve: begin, reject } = Promise.withResolvers<void>();
    const waiting = { ...turn, begin, reject };
    const queue = isLook ? this.looks : this.others;
    if (isRepeated) queue.unshift(waiting);
    else queue.push(waiting);
    const leave = () => this.drop(waiting, signal?.reason);
    signal?.addEventListener("abort", leave);
    this.admit();
    return promise.finally(() => signal?.removeEventListener("abort", leave));
  }

  /** Ends the wait of a request that is not sent. */
  private drop(waiting: Waiting, reason: unknown): void {
    const queue = waiting.isLook ? this.looks : this.others;
    const place = queue.indexOf(waiting);
    if (place >= 0) queue.splice(place, 1);
    waiting.reject(reason);
  }

  private admit(): void {
    while (this.inFlight < (this.left > 0 ? MAX_CONCURRENCY : 1)) {
      const queue = this.looks.length > 0 ? this.looks : this.others;
      const [next] = queue;
      if (next === undefined) return;
      const wait = Math.max(this.pausedUntil, this.nextSlot, this.pace.next) - performance.now();
      if (wait > 0) {
        this.timer ??= setTimeout(() => {
          this.timer = undefined;
          this.admit();
        }, wait);
        return;
      }
      queue.shift();
      const refusal = next.refusal?.();
      if (refusal !== undefined) {
        next.reject(refusal);
        continue;
      }
      const interval = 60_000 / (this.requestsPerMinute ?? Number.POSITIVE_INFINITY);
      this.nextSlot = performance.now() + Math.max(interval, this.pace.gap);
      this.inFlight += 1;
      this.left -= 1;
      next.begin();
    }
  }

  private announceWaiting(): void {
    const now = performance.now();
    if (now < this.silentUntil) return;
    this.silentUntil = Math.max(now + ANNOUNCE_EVERY_MS, this.pausedUntil);
    const pause = Math.ceil((this.pausedUntil - now) / 1000);
    const ceiling = this.requestsPerMinute;
    const why = ceiling === undefined ? "" : `, at ${ceiling} a minute (tracking:requestsPerMinute)`;
    const reason = pause > 0 ? `: the service asks for a pause of ${pause} s more` : why;
    this.warn(`requests are waiting for their turn (${this.looks.length + this.others.length})${reason}`);
  }
}
