/**
 * How many requests may be under way at once to one service: enough that an interrupted run, which the engine lets
 * end what it has begun, does not make many creates wait for one another.
 */
const LANES = 16;
/** A wait longer than this is said. */
const SILENT = 5000;
/** So long it stays said. */
const SAID = 30_000;

/**
 * Paces all requests of a process to one service: a few at a time, none while the service asks for a pause, one
 * by one where it has said that no more are left, and no faster than a ceiling where one is set.
 */
export class Gate {
  private readonly queue: (() => void)[] = [];
  private under = 0;
  /** Requests that may still leave before the service turns them away; without end where it does not say. */
  private left = Number.POSITIVE_INFINITY;
  /** What the service said last of how many are left. */
  private said = Number.POSITIVE_INFINITY;
  private opensAt = 0;
  private nextSlot = 0;
  private silentUntil = 0;
  /** The end of the last pause that was said. */
  private announced = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: {
      readonly requestsPerMinute?: number | undefined;
      readonly say: (text: string) => void;
    },
  ) {}

  /** Runs `send` when it is its turn. */
  async pass<T>(send: () => Promise<T>): Promise<T> {
    const waiting = setTimeout(() => this.sayThatItWaits(), SILENT);
    await new Promise<void>((resolve) => {
      this.queue.push(resolve);
      this.admit();
    });
    clearTimeout(waiting);
    try {
      return await send();
    } finally {
      this.under -= 1;
      this.admit();
    }
  }

  /**
   * What an answer said of the pace, to be told while its request is still passing.
   *
   * @param remaining requests that the service will take before it turns them away, if it says so
   */
  learn(remaining = Number.POSITIVE_INFINITY): void {
    // Of those under way, some may not have been counted yet.
    const left = remaining - (this.under - 1);
    // Answers overtake one another: an earlier one says that a little more is left. A new window begins with a lot.
    const overtaken = remaining > this.said && remaining < this.said + LANES;
    this.left = overtaken && this.under > 1 ? Math.min(left, this.left) : left;
    this.said = remaining;
  }

  /** Nothing leaves for so many milliseconds. */
  pause(milliseconds: number): void {
    const until = Date.now() + milliseconds;
    if (until <= this.opensAt) return;
    this.opensAt = until;
    if (milliseconds <= SILENT) return;
    this.silentUntil = until;
    // Requests that were under way together are turned away together, and told the same a moment apart.
    if (until - this.announced <= SILENT) return;
    this.announced = until;
    this.options.say(`the service asks for a pause of ${Math.ceil(milliseconds / 1000)} s; waiting`);
  }

  private admit(): void {
    while (this.queue.length > 0 && this.under < (this.left > 0 ? LANES : 1)) {
      const wait = Math.max(this.opensAt, this.nextSlot) - Date.now();
      if (wait > 0) {
        this.timer ??= setTimeout(() => {
          this.timer = undefined;
          this.admit();
        }, wait);
        return;
      }
      const { requestsPerMinute } = this.options;
      this.nextSlot = requestsPerMinute === undefined ? 0 : Date.now() + 60_000 / requestsPerMinute;
      this.under += 1;
      this.left -= 1;
      this.queue.shift()?.();
    }
  }

  private sayThatItWaits(): void {
    if (Date.now() < this.silentUntil) return;
    this.silentUntil = Date.now() + SAID;
    const ceiling = this.options.requestsPerMinute;
    const why = ceiling === undefined ? "" : `, at ${ceiling} a minute (tracking:requestsPerMinute)`;
    this.options.say(`${this.queue.length} requests are waiting for their turn${why}`);
  }
}
