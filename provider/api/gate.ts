/** How many requests may be under way at once to one service. */
const LANES = 8;
/** A wait longer than this is said. */
const SILENT = 5000;

/**
 * Paces all requests of a process to one service: a few at a time, none while the service asks for a pause, and
 * no faster than a ceiling where one is set.
 */
export class Gate {
  private under = 0;
  private opensAt = 0;
  private nextSlot = 0;
  private readonly queue: (() => void)[] = [];

  constructor(
    private readonly options: {
      readonly requestsPerMinute?: number | undefined;
      readonly say: (text: string) => void;
    },
  ) {}

  /** Runs `send` when it is its turn. */
  async pass<T>(send: () => Promise<T>): Promise<T> {
    if (this.under >= LANES) await new Promise<void>((resolve) => this.queue.push(resolve));
    else this.under += 1;
    try {
      await this.open();
      return await send();
    } finally {
      const next = this.queue.shift();
      if (next) next();
      else this.under -= 1;
    }
  }

  /** Nothing leaves for so many milliseconds. */
  pause(milliseconds: number): void {
    const until = Date.now() + milliseconds;
    if (until <= this.opensAt) return;
    this.opensAt = until;
    if (milliseconds > SILENT)
      this.options.say(`the service asks for a pause of ${Math.ceil(milliseconds / 1000)} s; waiting`);
  }

  /** Waits for a slot. One that a pause has overtaken is given up, so that what waited does not leave at once. */
  private async open(): Promise<void> {
    const spacing =
      this.options.requestsPerMinute === undefined ? 0 : 60_000 / this.options.requestsPerMinute;
    for (;;) {
      const slot = Math.max(Date.now(), this.nextSlot, this.opensAt);
      this.nextSlot = slot + spacing;
      if (slot > Date.now()) await new Promise((resolve) => setTimeout(resolve, slot - Date.now()));
      if (slot >= this.opensAt) return;
    }
  }
}
