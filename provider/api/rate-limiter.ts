import { Concurrency, MAX_CONCURRENCY, type Refusal, type Sent } from "./concurrency";
import { MAX_GAP_MS, Pace } from "./pace";
import { Steadiness } from "./steadiness";

/** After so many reads, a write is sent. */
const MAX_READS_IN_ROW = 16;
/** So many in a row, each alone, show that requests have to be further apart. */
const ENOUGH_ALONE = 3;
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
  /** Whether it creates, so that it fails if the service is busy. */
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

/** The reads, or the writes. A service that is read-only for an hour accepts each read, which says nothing of the writes. */
class Kind {
  readonly waiting: Waiting[] = [];
  /** Since when the service has refused all of them; infinite if it has accepted the latest one. */
  refusedSince = Number.POSITIVE_INFINITY;
  /** When the latest one that it has accepted was sent. */
  acceptedAt = Number.NEGATIVE_INFINITY;
}

/** What a refusal means for the requests that follow. */
interface Refused {
  /** For how many milliseconds the service has refused all of this kind. */
  readonly refusedAllFor: number;
  /** Whether a pause is due: not if there were only too many, or if nothing shows a limit. */
  readonly isPauseDue: boolean;
}

/**
 * Paces all requests of a process to one service: as many at a time and as far apart as it accepts them, none during a pause,
 * and no faster than a configured limit. If it refuses one, fails, or says that none are left, they go one by one
 * until it accepts one.
 */
export class RateLimiter {
  private readonly reads = new Kind();
  private readonly writes = new Kind();
  private readsInRow = 0;
  private readonly concurrency = new Concurrency();
  private readonly pace = new Pace();
  private readonly steadiness = new Steadiness();
  private inFlight = 0;
  /** How many have their answer, but a connection that may still count. */
  private closing = 0;
  /** How many requests the service will still accept; infinite if it does not say. */
  private budget = Number.POSITIVE_INFINITY;
  /** When the next request may leave (`performance.now()`). */
  private nextAt = 0;
  /** Whether that is because the service asked for a pause. */
  private isPauseAsked = false;
  /** How many refusals it knows of that show a limit. The answers to what was sent before the latest one say nothing new of it. */
  private refusals = 0;
  private silentUntil = 0;
  private timer: NodeJS.Timeout | undefined;

  private requestsPerMinute = Number.POSITIVE_INFINITY;

  constructor(private readonly warn: (text: string) => void) {}

  /** Sends no more than this a minute. Of two settings the lower one counts, as of two providers for one service. */
  allow(requestsPerMinute: number): void {
    this.requestsPerMinute = Math.min(this.requestsPerMinute, requestsPerMinute);
  }

  /** Milliseconds between two requests that the settings ask for. */
  private get interval(): number {
    return 60_000 / this.requestsPerMinute;
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

  /** How many the service may count. */
  private get counted(): number {
    return this.inFlight + this.closing;
  }

  /** Whether only one request is in flight. */
  get isAlone(): boolean {
    return this.inFlight === 1;
  }

  /**
   * The service has accepted a request. Call this, or one of the next two, before its `send` resolves; or this again, when it turns
   * out that one was accepted which it seemed to refuse.
   *
   * @param remaining how many more it will accept, if it says so
   */
  accepted(sent: Sent, remaining = Number.POSITIVE_INFINITY): void {
    // Requests in flight may not be counted yet.
    const budget = remaining - (this.inFlight - 1);
    // Answers overtake one another: an older one announces slightly more. A new window announces much more.
    const isOlder = this.inFlight > 1 && budget < this.budget + MAX_CONCURRENCY;
    this.budget = isOlder ? Math.min(budget, this.budget) : budget;
    const kind = this.kindOf(sent);
    kind.refusedSince = Number.POSITIVE_INFINITY;
    kind.acceptedAt = sent.at;
    if (this.steadiness.accepts(sent)) this.forget();
    if (sent.refusals === this.refusals) this.concurrency.accepts(sent.rank, this.counted);
    this.pace.accepts(sent.at);
    this.holdUntil(sent.at + this.pace.gap);
    if (sent.isCreate) this.close();
  }

  /** It has refused one. */
  refused(refusal: Refusal): Refused {
    const { at, rank, attempts, isRead, isCreate } = refusal;
    const kind = this.kindOf(refusal);
    const isNew = refusal.refusals === this.refusals;
    if (isNew && this.mayBeChance(refusal)) return { refusedAllFor: 0, isPauseDue: false };
    kind.refusedSince = Math.min(kind.refusedSince, at);
    this.refusals += 1;
    this.budget = 0;
    if (this.refusesKind(kind)) this.forget();
    // One that was refused at other distances too says nothing of a distance.
    else if (rank === 1 && attempts < ENOUGH_ALONE) {
      this.pace.refuses(refusal);
      // Sent again, a write leaves before the reads, which would use up what the service accepts after a pause.
      if (!isRead && !isCreate) this.readsInRow = MAX_READS_IN_ROW;
    } else if (rank > 1 && isNew) {
      const fewest = Math.min(rank, this.steadiness.end(refusal));
      this.concurrency.refuses({ ...refusal, rank: Math.max(fewest, 2) });
    }
    return { refusedAllFor: performance.now() - kind.refusedSince, isPauseDue: rank === 1 };
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

  /** Whether the service has accepted any request. */
  get hasAccepted(): boolean {
    return Math.max(this.reads.acceptedAt, this.writes.acceptedAt) >= 0;
  }

  /** Whether a slower pace may help this kind: not if the service has never accepted one. */
  mayPaceHelp(turn: Turn): boolean {
    const kind = this.kindOf(turn);
    return kind.acceptedAt >= 0 || (this.hasAccepted && !this.refusesKind(kind));
  }

  private kindOf({ isRead }: Turn): Kind {
    return isRead ? this.reads : this.writes;
  }

  /** Whether the service refuses all of a kind however far apart they are, and has accepted the others meanwhile, or before. */
  private refusesKind(kind: Kind): boolean {
    const other = kind === this.reads ? this.writes : this.reads;
    const isLong = performance.now() - kind.refusedSince > 2 * MAX_GAP_MS;
    return isLong && other.acceptedAt > kind.acceptedAt;
  }

  /** Whether a refusal may be chance, so that the next request leaves at once. */
  private mayBeChance(refusal: Refusal): boolean {
    const { rank, at, saysLimit } = refusal;
    if (saysLimit) return false;
    if (rank > 1) return this.steadiness.mayBeChance(refusal, this.concurrency.enough(refusal));
    const isStalled = this.kindOf(refusal).refusedSince < Number.POSITIVE_INFINITY;
    if (!isStalled && !this.pace.explains(at)) {
      this.pace.forget();
      return true;
    }
    this.pace.notes(at);
    return this.steadiness.mayBeChance(refusal, this.pace.gap > 0 ? 1 : ENOUGH_ALONE);
  }

  /** Drops what was learned, since it does not explain the refusals. */
  private forget(): void {
    this.pace.forget();
    this.concurrency.forget();
  }

  /** A connection is closed that may still count. */
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
    const { signal, attempts = 0 } = turn;
    signal?.throwIfAborted();
    const { promise, resolve: begin, reject } = Promise.withResolvers<Sent>();
    const waiting = { ...turn, begin, reject };
    const queue = this.kindOf(turn).waiting;
    // One that was refused is the next one. If it is refused again, others go first, twice as many each time, so that a record
    // that the service never takes does not hold them up.
    queue.splice(attempts > 0 ? 2 ** (attempts - 1) - 1 : queue.length, 0, waiting);
    const leave = () => this.drop(waiting, signal?.reason);
    signal?.addEventListener("abort", leave);
    this.admit();
    return promise.finally(() => signal?.removeEventListener("abort", leave));
  }

  /** Ends the wait of a request that is not sent. */
  private drop(waiting: Waiting, reason: unknown): void {
    const queue = this.kindOf(waiting).waiting;
    const place = queue.indexOf(waiting);
    if (place >= 0) queue.splice(place, 1);
    waiting.reject(reason);
  }

  private admit(): void {
    while (true) {
      const kind = this.nextKind();
      const [next] = kind.waiting;
      const isOneByOne = this.budget <= 0 || kind.refusedSince < Number.POSITIVE_INFINITY;
      const isFull = this.counted >= this.concurrency.limit;
      if (next === undefined || isFull || (isOneByOne && this.inFlight > 0)) return;
      const wait = this.nextAt - performance.now();
      if (wait > 0) {
        this.timer ??= setTimeout(() => {
          this.timer = undefined;
          this.admit();
        }, Math.ceil(wait));
        return;
      }
      kind.waiting.shift();
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
      const { isRead = false, isCreate = false, attempts = 0 } = next;
      const rank = isOneByOne ? this.inFlight : this.counted;
      const { refusals } = this;
      next.begin({ at, rank, refusals, isRead, isCreate, attempts });
    }
  }

  private nextKind(): Kind {
    if (this.reads.waiting.length === 0) return this.writes;
    return this.readsInRow >= MAX_READS_IN_ROW && this.writes.waiting.length > 0 ? this.writes : this.reads;
  }

  private announceWaiting(): void {
    const now = performance.now();
    if (now < this.silentUntil) return;
    this.silentUntil = Math.max(now + ANNOUNCE_EVERY_MS, this.nextAt);
    const count = this.reads.waiting.length + this.writes.waiting.length;
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
