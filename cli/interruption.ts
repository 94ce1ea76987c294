const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type Signal = (typeof SIGNALS)[number];

/** A person, or the system, stopped this program. */
export class Interrupted extends Error {
  override name = "Interrupted";

  /** @param killed a child process was forced to end, and may have left its work unfinished */
  constructor(
    readonly signal: Signal,
    readonly killed = false,
  ) {
    super(`interrupted by ${signal}`);
  }
}

/** Called at every signal, with its number: 1 for the first. */
type Listener = (count: number) => void;

/** The signals that came during the work. */
class Interruption {
  private readonly listeners = new Set<Listener>();
  private readonly signals: Signal[] = [];
  /** Rejects at the first signal while no child process is running. */
  readonly idle: Promise<never>;
  private giveUp: (reason: Interrupted) => void = () => {};

  constructor() {
    this.idle = new Promise((_, reject) => {
      this.giveUp = reject;
    });
    // Only a race against it handles the rejection.
    this.idle.catch(() => {});
    for (const signal of SIGNALS) process.on(signal, this.receive);
  }

  get first(): Signal | undefined {
    return this.signals[0];
  }

  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  end(): void {
    for (const signal of SIGNALS) process.off(signal, this.receive);
  }

  private readonly receive = (signal: NodeJS.Signals): void => {
    this.signals.push(signal as Signal);
    for (const listener of this.listeners) listener(this.signals.length);
    if (this.listeners.size === 0 && this.first !== undefined) this.giveUp(new Interrupted(this.first));
  };
}

/** The work that signals interrupt. */
let current: Interruption | undefined;

/** The error for the first signal, or nothing. */
export function currentInterruption(killed = false): Interrupted | undefined {
  return current?.first === undefined ? undefined : new Interrupted(current.first, killed);
}

/** Passes every signal to a child process until the returned function is called. */
export function passSignalsTo(listener: Listener): () => void {
  return current?.listen(listener) ?? (() => {});
}

/**
 * Runs work that a signal interrupts: at once, or, while a child process runs, when that has ended. Then it calls
 * `whenInterrupted`, and ends this process by the signal, so that its parent sees that.
 */
export async function interruptible<T>(
  work: () => Promise<T>,
  whenInterrupted: (interrupted: Interrupted) => Promise<void>,
): Promise<T> {
  current = new Interruption();
  try {
    return await Promise.race([work(), current.idle]);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    try {
      await whenInterrupted(error);
    } finally {
      current.end();
      process.kill(process.pid, error.signal);
    }
    throw error;
  } finally {
    current.end();
    current = undefined;
  }
}
