import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Gives the work a folder for files that nobody else may read and nobody may find later. It goes when the work is
 * done, fails, or is interrupted; then the program ends by the signal that came.
 */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-"));
  const interrupted = (signal: NodeJS.Signals) => {
    rmSync(folder, { recursive: true, force: true });
    for (const each of SIGNALS) process.off(each, interrupted);
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, interrupted);
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    for (const signal of SIGNALS) process.off(signal, interrupted);
  }
}
