import { setImmediate as turn } from "node:timers/promises";

interface Waiting {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that passes only while everybody waits, so that a story takes no longer than its work. */
export class Clock {
  now = 0;
  private waiting: Waiting[] = [];

  /** Has something done after so many milliseconds. */
  later(wake: () => void, milliseconds = 0): void {
    this.waiting.push({ at: this.now + Math.max(0, milliseconds), wake });
  }

  wait(milliseconds: number): Promise<void> {
    return new Promise((resolve) => this.later(resolve, milliseconds));
  }

  /** Lets time pass until this work is done. What else waits then, waits for ever. */
  async drive<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const end = () => {
      settled = true;
    };
    work.then(end, end);
    for (;;) {
      await turn();
      if (settled) break;
      const next = this.waiting.reduce<Waiting | undefined>(
        (first, each) => (first === undefined || each.at < first.at ? each : first),
        undefined,
      );
      if (next === undefined) throw new Error("everybody waits, and for nothing");
      this.waiting = this.waiting.filter((each) => each !== next);
      this.now = next.at;
      next.wake();
    }
    this.waiting = [];
    return work;
  }
}
