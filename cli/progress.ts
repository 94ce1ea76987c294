import { notify } from "./command-line";

/** After so many seconds, a person at a terminal is told what takes so long. */
const TOLD_AFTER = [5, 15, 35, 75];

/**
 * Runs work that may take long. On a terminal it says now and then what is going on; a log gets no such lines.
 *
 * @param what such as `Reading websites at https://stats.example`
 */
export async function withProgress<T>(what: string, work: () => Promise<T>): Promise<T> {
  if (!process.stderr.isTTY) return work();
  const tell = (seconds: number) => setTimeout(() => notify(`${what} (${seconds} s)`), 1000 * seconds);
  const timers = TOLD_AFTER.map(tell);
  try {
    return await work();
  } finally {
    for (const timer of timers) clearTimeout(timer);
  }
}
