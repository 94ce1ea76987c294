import { Concurrency, MAX_CONCURRENCY, type Refusal, type Sent } from "./concurrency";
import { Pace } from "./pace";
import { Steadiness } from "./steadiness";

/** After so many looks, one of the others is sent. */
const MAX_LOOKS_IN_ROW = 16;
/** A wait longer than this is announced. */
const ANNOUNCE_AFTER_MS = 5000;
/** How long an announcement counts. */
const ANNOUNCE_EVERY_MS = 30_000;

/** How a request waits for its turn. */
interface Turn {
  /** Whether it only looks: looks leave before the others. */
  readonly isLook?: boolean;
  /** Whether it was sent already: then it leaves as the next of its kind. */
  readonly isRepeated?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** When it is its turn: returns the reason why it is not sent, or undefined. */
  readonly refusal?: () => Error | undefined;
}

/** A request that waits. */
interface Waiting extends Turn {
  begin(sent: Sent): void;
  reject(reason: unknown): void;
}

/**
 * Paces all requests of a process to one service: as many at a time and as far apart as it accepts them, none while it asks
 * for a pause, one by one if it says that none are left, or fails, and no faster than a configured limit.
 */
export class RateLimiter {
  private readonly looks: Waiting[] = [];
  private readonly others: Waiting[] = [];
  private looksInRow = 0;
  private readonly concurrency = new Concurrency();
  private readonly pace = new Pace();
  private readonly steadiness = new Steadiness();
  private inFlight = 0;
  /** How many requests the service will still accept; infinite if it does not say. */
  private left = Number.POSITIVE_INFINITY;
  /** When the next request may leave (`performance.now()`). */
  private nextAt = 0;
  /** How many refusals it knows of. The answers to what was sent before the latest one say nothing new of a limit. */
  private refusals = 0;
  /** Since when the service has refused all; infinite if it has accepted the latest one. */
  refusedSince = Number.POSITIVE_INFINITY;
  /** Whether the service has accepted any request. */
  isServing = false;
  private silentUntil = 0;
  private timer: NodeJS.Timeout | undefined;

  /** Milliseconds between two requests that the settings ask for. */
  private readonly interval: number;

  constructor(
    private readonly warn: (text: string) => void,
    private readonly requestsPerMinute = Number.POSITIVE_INFINITY,
  ) {
    this.interval = 60_000 / requestsPerMinute;
  }

  /** Runs `send` when it is its turn; rejects if it is cancelled before. */
  async run<T>(send: (sent: Sent) => Promise<T>, turn: Turn = {}): Promise<T> {
    const waiting = setTimeout(() => this.announceWaiting(), ANNOUNCE_AFTER_MS);
    const sent = await this.turn(turn).finally(() => clearTimeout(waiting));
    try {
      return await send(sent);
    } finally {
      this.inFlight -= 1;
      this.admit();
    }
  }

  /** Whether only one request is in flight. */
  get isAlone(): boolean {
    return this.inFlight === 1;
  }

  /**
   * The service has accepted a request. Call this, or one of the next two, before its `send` resolves.
   *
   * @param remaining how many more it will accept, if it says so
   */
  accepted(sent: Sent, remaining = Number.POSITIVE_INFINITY): void {
    // Requests in flight may not be counted yet.
    const left = remaining - (this.inFlight - 1);
    // Answers overtake one another: an older one announces slightly more. A new window announces much more.
    const isOlder = this.inFlight > 1 && left < this.left + MAX_CONCURRENCY;
    this.left = isOlder ? Math.min(left, this.left) : left;
    this.refusedSince = Number.POSITIVE_INFINITY;
    this.isServing = true;
    if (this.steadiness.accepts(sent)) this.concurrency.forget();
    if (sent.refusals === this.refusals) this.concurrency.accepts(sent.rank, this.inFlight);
    this.pace.accepts(sent.at);
    this.holdUntil(sent.at + this.pace.gap);
  }

  /**
   * It has refused one. If a pause is due, returns for how many milliseconds it has refused all. None is if there were only too
   * many, or if nothing shows a limit.
   */
  refused(refusal: Refusal): number | undefined {
    const { at, rank, asksToWait } = refusal;
    this.refusedSince = Math.min(this.refusedSince, at);
    if (this.steadiness.mayBeChance(refusal, this.pace.gap > 0)) return undefined;
    const isNew = refusal.refusals === this.refusals;
    this.refusals += 1;
    if (rank === 1) this.pace.refuses(at);
    else if (isNew) this.concurrency.refuses(refusal);
    this.left = 0;
    return rank === 1 || asksToWait ? performance.now() - this.refusedSince : undefined;
  }

  /** One came to nothing. Until the service accepts one, they are sent one by one. */
  failed(): void {
    this.left = 0;
  }

  /** Sends nothing for this many milliseconds. */
  pause(milliseconds: number): void {
    this.holdUntil(performance.now() + milliseconds);
  }

  private holdUntil(time: number): void {
    this.nextAt = Math.max(this.nextAt, time);
  }

  private async turn(turn: Turn): Promise<Sent> {
    const { signal, isLook, isRepeated } = turn;
    signal?.throwIfAborted();
    const { promise, resolve: begin, reject } = Promise.withResolvers<Sent>();
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
    while (this.inFlight < (this.left > 0 ? this.concurrency.limit : 1)) {
      const queue = this.nextQueue();
      const [next] = queue;
      if (next === undefined) return;
      const wait = this.nextAt - performance.now();
      if (wait > 0) {
        this.timer ??= setTimeout(() => {
          this.timer = undefined;
          this.admit();
        }, Math.ceil(wait));
        return;
      }
      queue.shift();
      this.looksInRow = next.isLook ? this.looksInRow + 1 : 0;
      const refusal = next.refusal?.();
      if (refusal !== undefined) {
        next.reject(refusal);
        continue;
      }
      const at = performance.now();
      this.holdUntil(at + Math.max(this.interval, this.pace.gap));
      this.inFlight += 1;
      this.left -= 1;
      next.begin({ at, rank: this.inFlight, refusals: this.refusals });
    }
  }

  private nextQueue(): Waiting[] {
    if (this.looks.length === 0) return this.others;
    return this.looksInRow >= MAX_LOOKS_IN_ROW && this.others.length > 0 ? this.others : this.looks;
  }

  private announceWaiting(): void {
    const now = performance.now();
    if (now < this.silentUntil) return;
    this.silentUntil = Math.max(now + ANNOUNCE_EVERY_MS, this.nextAt);
    const pause = this.nextAt - now;
    const ceiling =
      this.interval > 0 ? `, at ${this.requestsPerMinute} a minute (tracking:requestsPerMinute)` : "";
    const isAsked = pause > this.interval;
    const reason = isAsked ? `: the service asks for a pause of ${Math.ceil(pause / 1000)} s more` : ceiling;
    this.warn(`requests are waiting for their turn (${this.looks.length + this.others.length})${reason}`);
  }
}
