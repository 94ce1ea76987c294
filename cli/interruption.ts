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

/** The work that signals interrupt: the signals that came, and the child processes that get them. */
let current: { readonly signals: Signal[]; readonly listeners: Set<Listener> } | undefined;

/** The error for the first signal, or nothing. */
export function currentInterruption(killed = false): Interrupted | undefined {
  const [first] = current?.signals ?? [];
  return first === undefined ? undefined : new Interrupted(first, killed);
}

/** Passes every signal to a child process until the returned function is called. */
export function passSignalsTo(listener: Listener): () => void {
  const { listeners } = current ?? {};
  listeners?.add(listener);
  return () => listeners?.delete(listener);
}

/**
 * Runs work that a signal interrupts: at once, or, while a child process runs, when that has ended. Then it calls
 * `whenInterrupted`, and ends this process by the signal, so that its parent sees that.
 */
export async function interruptible<T>(
  work: () => Promise<T>,
  whenInterrupted: (interrupted: Interrupted) => Promise<void>,
): Promise<T> {
  const signals: Signal[] = [];
  const listeners = new Set<Listener>();
  current = { signals, listeners };
  let giveUp: (reason: unknown) => void = () => {};
  const idle = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  // Only a race against it handles the rejection.
  idle.catch(() => {});
  const receive = (signal: NodeJS.Signals) => {
    signals.push(signal as Signal);
    for (const listener of listeners) listener(signals.length);
    if (listeners.size === 0) giveUp(currentInterruption());
  };
  const ignore = () => {
    for (const signal of SIGNALS) process.off(signal, receive);
  };
  for (const signal of SIGNALS) process.on(signal, receive);
  try {
    return await Promise.race([work(), idle]);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    try {
      await whenInterrupted(error);
    } finally {
      ignore();
      process.kill(process.pid, error.signal);
    }
    throw error;
  } finally {
    ignore();
    current = undefined;
  }
}
