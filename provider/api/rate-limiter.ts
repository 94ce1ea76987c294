import { Concurrency } from "./concurrency";
import { Pace } from "./pace";

/** After so many reads, a write is sent. */
const MAX_READS_IN_ROW = 16;
/**
 * How long after its answer a create still counts. It has a connection of its own, which nginx's `limit_conn` counts until shortly
 * after the answer: the next request, if it left at once, would be one too many.
 */
const CLOSES_AFTER_MS = 5;
/** A wait longer than this is announced. */
const ANNOUNCE_AFTER_MS = 5000;
/** How long an announcement counts. */
const ANNOUNCE_EVERY_MS = 30_000;

/** How a request waits for its turn. */
interface Turn {
  /** Whether it only reads: reads leave before writes. */
  readonly isRead?: boolean;
  /** Whether it creates, over a connection of its own. */
  readonly isCreate?: boolean;
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

/** A request that was sent: when (`performance.now()`), as which, and whether no other was in flight. */
export interface Sent {
  readonly at: number;
  readonly number: number;
  readonly isAlone: boolean;
  readonly isCreate: boolean;
}

/**
 * Decides when the next request of a process to one service leaves: when it is the first of those that wait, fewer are in flight
 * than may be, no pause lasts, and the one before is as long ago as the service or the settings ask for. After a refusal, a
 * failure, or an answer that says that none are left, one leaves at a time until the service accepts one.
 */
export class RateLimiter {
  private readonly reads: Waiting[] = [];
  private readonly writes: Waiting[] = [];
  private readsInRow = 0;
  private readonly concurrency = new Concurrency();
  private readonly pace = new Pace();
  private inFlight = 0;
  /** How many have their answer, but a connection that may still count. */
  private closing = 0;
  /** How many were sent so far. */
  private count = 0;
  /** How many requests the service will still accept; infinite if it does not say. */
  private budget = Number.POSITIVE_INFINITY;
  /** Which request's answer said so. */
  private budgetSince = 0;
  /** How many were sent before the latest refusal became known. Their answers say nothing new. */
  private sentBeforeRefusal = 0;
  /** When the next request may leave (`performance.now()`). */
  private nextAt = 0;
  /** Whether that is because the service asked for a pause. */
  private isPauseAsked = false;
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
  wasAlone({ isAlone, number }: Sent): boolean {
    return isAlone && number === this.count;
  }

  /**
   * The service has accepted a request. Call this, or one of the next two, before its `send` resolves; or this again, when it turns
   * out that one was accepted which it seemed to refuse.
   *
   * @param remaining how many more it will accept, if it says so
   */
  accepted(sent: Sent, remaining = Number.POSITIVE_INFINITY): void {
    this.pace.accepts(sent.at);
    this.holdUntil(sent.at + this.pace.gap);
    if (sent.isCreate) this.close();
    if (sent.number <= this.sentBeforeRefusal) return;
    // Those that were sent after it will be counted too. Answers overtake one another: one to an earlier request is less exact.
    const budget = remaining - (this.count - sent.number);
    this.budget = sent.number > this.budgetSince ? budget : Math.min(budget, this.budget);
    this.budgetSince = Math.max(this.budgetSince, sent.number);
    this.concurrency.accepts(this.counted);
  }

  /**
   * It has refused one.
   *
   * @param kind whether it names a time to wait, or else, by a 429, a limit
   * @returns whether that is news, after which a pause is due: not if it was sent before the latest refusal was known
   */
  refused(sent: Sent, kind: "named" | "limited" | "busy"): boolean {
    if (sent.number <= this.sentBeforeRefusal) return false;
    this.sentBeforeRefusal = this.count;
    this.budget = 0;
    if (!this.wasAlone(sent)) this.concurrency.refuses();
    else if (kind !== "named") this.pace.refuses(sent.at, kind === "limited");
    return true;
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

  /** How many the service may count. */
  private get counted(): number {
    return this.inFlight + this.closing;
  }

  /** Whether as many are in flight as may be. */
  private get isFull(): boolean {
    return this.counted >= this.concurrency.limit || (this.budget <= 0 && this.inFlight > 0);
  }

  /** Milliseconds between two requests that the settings ask for. */
  private get interval(): number {
    return 60_000 / this.requestsPerMinute;
  }

  private close(): void {
    this.closing += 1;
    setTimeout(() => {
      this.closing -= 1;
      this.admit();
    }, CLOSES_AFTER_MS);
  }

  private holdUntil(time: number, isAsked = false): void {
    if (time <= this.nextAt) return;
    this.nextAt = time;
    this.isPauseAsked = isAsked;
  }

  private async waitForTurn(turn: Turn): Promise<Sent> {
    const { signal, attempts = 0, isRead } = turn;
    signal?.throwIfAborted();
    const { promise, resolve: begin, reject } = Promise.withResolvers<Sent>();
    const waiting = { ...turn, begin, reject };
    const queue = isRead ? this.reads : this.writes;
    // One that was refused is the next one. If it is refused again, others go first, twice as many each time, so that a record
    // that the service never takes does not hold them up.
    queue.splice(attempts > 0 ? 2 ** (attempts - 1) - 1 : queue.length, 0, waiting);
    const leave = () => {
      const place = queue.indexOf(waiting);
      if (place >= 0) queue.splice(place, 1);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", leave);
    this.admit();
    return promise.finally(() => signal?.removeEventListener("abort", leave));
  }

  /** Sends what may be sent now. */
  private admit(): void {
    while (true) {
      const queue = this.nextQueue();
      const [next] = queue;
      if (next === undefined || this.isFull) return;
      const wait = this.nextAt - performance.now();
      if (wait > 0) {
        this.admitLater(wait);
        return;
      }
      queue.shift();
      this.readsInRow = next.isRead ? this.readsInRow + 1 : 0;
      const reason = next.reasonNotToSend?.();
      if (reason === undefined) this.begin(next);
      else next.reject(reason);
    }
  }

  private begin({ begin, isCreate = false }: Waiting): void {
    const at = performance.now();
    this.holdUntil(at + Math.max(this.interval, this.pace.gap));
    this.inFlight += 1;
    this.budget -= 1;
    this.count += 1;
    begin({ at, number: this.count, isAlone: this.inFlight === 1, isCreate });
  }

  private admitLater(wait: number): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.admit();
    }, Math.ceil(wait));
  }

  private nextQueue(): Waiting[] {
    if (this.reads.length === 0) return this.writes;
    return this.readsInRow >= MAX_READS_IN_ROW && this.writes.length > 0 ? this.writes : this.reads;
  }

  private announceWaiting(): void {
    const now = performance.now();
    if (now < this.announcedUntil) return;
    this.announcedUntil = Math.max(now + ANNOUNCE_EVERY_MS, this.nextAt);
    const count = this.reads.length + this.writes.length;
    this.warn(`requests are waiting for their turn (${count}): ${this.reasonToWait(this.nextAt - now)}`);
  }

  /** The reason why nothing is sent, and if it is a pause of so many milliseconds, for how long. */
  private reasonToWait(milliseconds: number): string {
    if (milliseconds > this.interval) {
      const seconds = `${Math.ceil(milliseconds / 1000)} s`;
      return this.isPauseAsked
        ? `the service asks for a pause of ${seconds} more`
        : `the service refused some, so the next one leaves in ${seconds}`;
    }
    if (this.isFull) return `the service has not answered ${this.inFlight} that are sent`;
    return `at ${this.requestsPerMinute} a minute (tracking:requestsPerMinute)`;
  }
}
