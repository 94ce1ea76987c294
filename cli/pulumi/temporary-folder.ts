import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Runs the work with a folder that only this user can read. It is removed when the work ends, fails, or is
 * interrupted.
 */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-"));
  try {
    return await work(folder);
  } finally {
    // Synchronously, so that no signal comes in between.
    rmSync(folder, { recursive: true, force: true });
  }
}
