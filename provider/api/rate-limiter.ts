import { Concurrency } from "./concurrency";
import { Pace } from "./pace";

/** A wait longer than this is announced. */
const ANNOUNCE_AFTER_MS = 5000;
/** How long an announcement counts. */
const ANNOUNCE_EVERY_MS = 30_000;

/** How a request waits for its turn. */
interface Turn {
  /** Whether it only reads: reads leave before writes. */
  readonly isRead?: boolean;
  /** How often it was sent already. */
  readonly attempts?: number;
  readonly signal?: AbortSignal | undefined;
  /** When it is its turn: returns the reason why it is not sent, or undefined. */
  readonly reasonNotToSend?: () => Error | undefined;
}

/** A request that waits. */
interface Waiting extends Turn {
  begin(sent: Sent): void;
  reject(reason: unknown): void;
}

/** A request that was sent: when (`performance.now()`). */
export interface Sent {
  readonly at: number;
}

/**
 * Decides when the next request of a process to one service leaves: when it is the first of those that wait, fewer are in flight
 * than may be, no pause lasts, and the one before is as long ago as the service or the settings ask for. After a refusal, a
 * failure, or an answer that says that none are left, one leaves at a time until the service accepts one.
 */
export class RateLimiter {
  /** Reads before writes: what waits to write asks for nothing more, so reads come to an end. Among each, the oldest first. */
  private readonly waiting: Waiting[] = [];
  private readonly concurrency = new Concurrency();
  private readonly pace = new Pace();
  private inFlight = 0;
  /** The one that was sent while no other was in flight, and since which none was sent. */
  private alone: Sent | undefined;
  /** How many more requests the service will accept, by its latest answer; infinite if it does not say. */
  private remaining = Number.POSITIVE_INFINITY;
  /** When that answer's request was sent. */
  private saidAt = 0;
  /** When the latest refusal became known. The answers to those that were sent before say nothing new. */
  private refusedAt = Number.NEGATIVE_INFINITY;
  /** When the next request may leave (`performance.now()`). */
  private nextAt = 0;
  private announcedUntil = 0;
  private timer: NodeJS.Timeout | undefined;
  private requestsPerMinute = Number.POSITIVE_INFINITY;

  constructor(private readonly warn: (text: string) => void) {}

  /** Sends no more than this a minute. Of two settings the lower one counts, as of two providers for one service. */
  allow(requestsPerMinute: number): void {
    this.requestsPerMinute = Math.min(this.requestsPerMinute, requestsPerMinute);
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

  /** Whether no other request was sent while this one was in flight, nor was any when it was sent. */
  wasAlone(sent: Sent): boolean {
    return this.alone === sent;
  }

  /**
   * The service has accepted a request. Call this, or one of the next two, before its `send` resolves; or this again, when it turns
   * out that one was accepted which it seemed to refuse.
   *
   * @param remaining how many more it will accept, if it says so
   */
  accepted(sent: Sent, remaining = Number.POSITIVE_INFINITY): void {
    this.pace.accepts(sent.at);
    this.pauseUntil(sent.at + this.pace.gap);
    if (sent.at < this.refusedAt) return;
    // Answers overtake one another: that to an earlier request can only say less.
    this.remaining = sent.at < this.saidAt ? Math.min(remaining, this.remaining) : remaining;
    this.saidAt = Math.max(this.saidAt, sent.at);
    this.concurrency.accepts(this.inFlight);
  }

  /**
   * It has refused one.
   *
   * @param kind whether it names a time to wait, or else, by a 429, a limit
   * @returns whether that is news, after which a pause is due: not if it was sent before the latest refusal was known
   */
  refused(sent: Sent, kind: "named" | "limited" | "busy"): boolean {
    if (sent.at < this.refusedAt) return false;
    this.refusedAt = performance.now();
    this.remaining = 0;
    if (!this.wasAlone(sent)) this.concurrency.refuses();
    else if (kind !== "named") this.pace.refuses(sent.at, kind === "limited");
    return true;
  }

  /** One came to nothing. Until the service accepts one, they are sent one by one. */
  failed(): void {
    this.remaining = 0;
  }

  /** Sends nothing for this many milliseconds. */
  pause(milliseconds: number): void {
    this.pauseUntil(performance.now() + milliseconds);
  }

  private pauseUntil(time: number): void {
    this.nextAt = Math.max(this.nextAt, time);
  }

  /** Whether as many are in flight as may be: no more than the service will accept, but one to learn whether it does. */
  private get isFull(): boolean {
    return this.inFlight >= Math.min(this.concurrency.limit, Math.max(1, this.remaining));
  }

  /** Milliseconds between two requests that the settings ask for. */
  private get interval(): number {
    return 60_000 / this.requestsPerMinute;
  }

  private async waitForTurn(turn: Turn): Promise<Sent> {
    const { signal, isRead, attempts = 0 } = turn;
    signal?.throwIfAborted();
    const { promise, resolve: begin, reject } = Promise.withResolvers<Sent>();
    const waiting = { ...turn, begin, reject };
    const reads = this.waiting.findLastIndex((each) => each.isRead) + 1;
    const [from, to] = isRead ? [0, reads] : [reads, this.waiting.length];
    // One that was refused is the next one. If it is refused again, others go first, twice as many each time, so that a record
    // that the service never takes does not hold them up.
    const at = attempts > 0 ? Math.min(to, from + 2 ** (attempts - 1) - 1) : to;
    this.waiting.splice(at, 0, waiting);
    const leave = () => {
      const place = this.waiting.indexOf(waiting);
      if (place >= 0) this.waiting.splice(place, 1);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", leave);
    this.admit();
    return promise.finally(() => signal?.removeEventListener("abort", leave));
  }

  /** Sends what may be sent now. */
  private admit(): void {
    while (true) {
      const [next] = this.waiting;
      if (next === undefined || this.isFull) return;
      const wait = this.nextAt - performance.now();
      if (wait > 0) {
        this.admitLater(wait);
        return;
      }
      this.waiting.shift();
      const reason = next.reasonNotToSend?.();
      if (reason === undefined) this.begin(next);
      else next.reject(reason);
    }
  }

  private begin({ begin }: Waiting): void {
    const sent = { at: performance.now() };
    this.pauseUntil(sent.at + Math.max(this.interval, this.pace.gap));
    this.inFlight += 1;
    this.alone = this.inFlight === 1 ? sent : undefined;
    begin(sent);
  }

  private admitLater(wait: number): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.admit();
    }, Math.ceil(wait));
  }

  private announceWaiting(): void {
    const now = performance.now();
    if (now < this.announcedUntil) return;
    this.announcedUntil = Math.max(now + ANNOUNCE_EVERY_MS, this.nextAt);
    this.warn(
      `requests are waiting for their turn (${this.waiting.length}): ${this.reasonToWait(this.nextAt - now)}`,
    );
  }

  /** The reason why nothing is sent, and if it is a pause of so many milliseconds, for how long. */
  private reasonToWait(milliseconds: number): string {
    if (milliseconds > this.interval)
      return `the service refused some, so the next one leaves in ${Math.ceil(milliseconds / 1000)} s`;
    if (this.isFull)
      return `the service has not answered the ${this.inFlight === 1 ? "one" : this.inFlight} before`;
    return `at ${this.requestsPerMinute} a minute (tracking:requestsPerMinute)`;
  }
}
