import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Gives the work a folder for files that nobody else may read and nobody may find later. It goes when the work is
 * done, fails, or is interrupted.
 */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-"));
  try {
    return await work(folder);
  } finally {
    // At once, so that no signal comes in between.
    rmSync(folder, { recursive: true, force: true });
  }
}
