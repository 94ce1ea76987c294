import { Concurrency, MAX_CONCURRENCY, type Refusal, type Sent } from "./concurrency";
import { Pace } from "./pace";
import { Steadiness } from "./steadiness";

/** After so many reads, a write is sent. */
const MAX_READS_IN_ROW = 16;
/** A wait longer than this is announced. */
const ANNOUNCE_AFTER_MS = 5000;
/** How long an announcement counts. */
const ANNOUNCE_EVERY_MS = 30_000;

/** How a request waits for its turn. */
interface Turn {
  /** Whether it only reads: reads leave before writes. */
  readonly isRead?: boolean;
  /** Whether it was sent already: then it leaves as the next of its kind. */
  readonly isRepeated?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** When it is its turn: returns the reason why it is not sent, or undefined. */
  readonly reasonNotToSend?: () => Error | undefined;
}

/** A request that waits. */
interface Waiting extends Turn {
  begin(sent: Sent): void;
  reject(reason: unknown): void;
}

/**
 * Paces all requests of a process to one service: as many at a time and as far apart as it accepts them, none during a pause,
 * and no faster than a configured limit. If it refuses one, fails, or says that none are left, they go one by one
 * until it accepts one.
 */
export class RateLimiter {
  private readonly reads: Waiting[] = [];
  private readonly writes: Waiting[] = [];
  private readsInRow = 0;
  private readonly concurrency = new Concurrency();
  private readonly pace = new Pace();
  private readonly steadiness = new Steadiness();
  private inFlight = 0;
  /** How many requests the service will still accept; infinite if it does not say. */
  private budget = Number.POSITIVE_INFINITY;
  /** When the next request may leave (`performance.now()`). */
  private nextAt = 0;
  /** Whether that is because the service asked for a pause. */
  private isPauseAsked = false;
  /** How many refusals it knows of. The answers to what was sent before the latest one say nothing new of a limit. */
  private refusals = 0;
  /** Since when the service has refused all; infinite if it has accepted the latest one. */
  refusedSince = Number.POSITIVE_INFINITY;
  /** Whether the service has accepted any request. */
  hasAccepted = false;
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
    const announcement = setTimeout(() => this.announceWaiting(), ANNOUNCE_AFTER_MS);
    const sent = await this.waitForTurn(turn).finally(() => clearTimeout(announcement));
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
    const budget = remaining - (this.inFlight - 1);
    // Answers overtake one another: an older one announces slightly more. A new window announces much more.
    const isOlder = this.inFlight > 1 && budget < this.budget + MAX_CONCURRENCY;
    this.budget = isOlder ? Math.min(budget, this.budget) : budget;
    this.refusedSince = Number.POSITIVE_INFINITY;
    this.hasAccepted = true;
    if (this.steadiness.accepts(sent)) this.concurrency.forget();
    if (sent.refusals === this.refusals) this.concurrency.accepts(sent.rank, this.inFlight);
    this.pace.accepts(sent.at);
    this.holdUntil(sent.at + this.pace.gap);
  }

  /**
   * It has refused one. Returns for how many milliseconds the service has refused all requests, if a pause is due. None is due if
   * fewer at a time are enough, or if the refusal shows no limit.
   */
  refused(refusal: Refusal): number | undefined {
    const { at, rank, asksToWait } = refusal;
    this.refusedSince = Math.min(this.refusedSince, at);
    if (this.steadiness.mayBeChance(refusal, this.pace.gap > 0)) return undefined;
    const isNew = refusal.refusals === this.refusals;
    this.refusals += 1;
    if (rank === 1) this.pace.refuses(at);
    else if (isNew) this.concurrency.refuses(refusal);
    this.budget = 0;
    return rank === 1 || asksToWait ? performance.now() - this.refusedSince : undefined;
  }

  /** One came to nothing. Until the service accepts one, they are sent one by one. */
  failed(): void {
    this.budget = 0;
  }

  /**
   * Sends nothing for this many milliseconds.
   *
   * @param isAsked whether the service asks for that
   */
  pause(milliseconds: number, isAsked: boolean): void {
    this.holdUntil(performance.now() + milliseconds, isAsked);
  }

  private holdUntil(time: number, isAsked = false): void {
    if (time <= this.nextAt) return;
    this.nextAt = time;
    this.isPauseAsked = isAsked;
  }

  private async waitForTurn(turn: Turn): Promise<Sent> {
    const { signal, isRead, isRepeated } = turn;
    signal?.throwIfAborted();
    const { promise, resolve: begin, reject } = Promise.withResolvers<Sent>();
    const waiting = { ...turn, begin, reject };
    const queue = isRead ? this.reads : this.writes;
    if (isRepeated) queue.unshift(waiting);
    else queue.push(waiting);
    const leave = () => this.drop(waiting, signal?.reason);
    signal?.addEventListener("abort", leave);
    this.admit();
    return promise.finally(() => signal?.removeEventListener("abort", leave));
  }

  /** Ends the wait of a request that is not sent. */
  private drop(waiting: Waiting, reason: unknown): void {
    const queue = waiting.isRead ? this.reads : this.writes;
    const place = queue.indexOf(waiting);
    if (place >= 0) queue.splice(place, 1);
    waiting.reject(reason);
  }

  private admit(): void {
    while (this.inFlight < (this.budget > 0 ? this.concurrency.limit : 1)) {
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
      this.readsInRow = next.isRead ? this.readsInRow + 1 : 0;
      const reason = next.reasonNotToSend?.();
      if (reason !== undefined) {
        next.reject(reason);
        continue;
      }
      const at = performance.now();
      this.holdUntil(at + Math.max(this.interval, this.pace.gap));
      this.inFlight += 1;
      this.budget -= 1;
      next.begin({ at, rank: this.inFlight, refusals: this.refusals });
    }
  }

  private nextQueue(): Waiting[] {
    if (this.reads.length === 0) return this.writes;
    return this.readsInRow >= MAX_READS_IN_ROW && this.writes.length > 0 ? this.writes : this.reads;
  }

  private announceWaiting(): void {
    const now = performance.now();
    if (now < this.silentUntil) return;
    this.silentUntil = Math.max(now + ANNOUNCE_EVERY_MS, this.nextAt);
    const count = this.reads.length + this.writes.length;
    this.warn(`requests are waiting for their turn (${count})${this.reasonToWait(this.nextAt - now)}`);
  }

  /** The reason why nothing is sent for this many milliseconds. Empty if the requests in flight are as many as may be. */
  private reasonToWait(milliseconds: number): string {
    if (milliseconds <= this.interval)
      return this.interval > 0 ? `, at ${this.requestsPerMinute} a minute (tracking:requestsPerMinute)` : "";
    const seconds = Math.ceil(milliseconds / 1000);
    return this.isPauseAsked
      ? `: the service asks for a pause of ${seconds} s more`
      : `: the service refused some, so the next one leaves in ${seconds} s`;
  }
}
