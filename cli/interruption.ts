const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A person, or the system, stopped this program. */
class Interrupted extends Error {
  override name = "Interrupted";

  constructor(readonly signal: NodeJS.Signals) {
    super(`interrupted by ${signal}`);
  }
}

/** Called at each signal, with its number: 1 for the first. */
type Listener = (count: number) => void;

/** The first signal that came. */
let interrupted: Interrupted | undefined;
/** Passes signals to the child process that runs. */
let running: Listener | undefined;

export function throwIfInterrupted(): void {
  if (interrupted !== undefined) throw interrupted;
}

/** Passes every signal to a child process until the returned function is called. */
export function passSignalsTo(listener: Listener): () => void {
  running = listener;
  return () => {
    running = undefined;
  };
}

/**
 * Runs work that a signal interrupts: at once, or, while a child process runs, when that has ended. Then it calls
 * `whenInterrupted`, and ends this process by the signal, so that its parent sees that.
 */
export async function interruptible<T>(work: () => Promise<T>, whenInterrupted: () => void): Promise<T> {
  let count = 0;
  let giveUp: (reason: Interrupted) => void = () => {};
  const idle = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  const receive = (signal: NodeJS.Signals) => {
    count += 1;
    interrupted ??= new Interrupted(signal);
    if (running === undefined) giveUp(interrupted);
    else running(count);
  };
  for (const signal of SIGNALS) process.on(signal, receive);
  const ignore = () => {
    for (const signal of SIGNALS) process.off(signal, receive);
  };
  try {
    return await Promise.race([work(), idle]);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    whenInterrupted();
    ignore();
    process.kill(process.pid, error.signal);
    throw error;
  } finally {
    ignore();
  }
}
