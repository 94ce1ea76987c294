import { chmod, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/**
 * Creates a directory atomically: it is filled under another name and renamed at the end, so it is complete or absent.
 * If two processes create the same one, the first to finish wins, and the other uses its result.
 *
 * @param {string} target
 * @param {(aside: string) => Promise<void>} fill
 * @param {(folder: string) => boolean | Promise<boolean>} isWhole
 */
export async function createDirAtomically(target, fill, isWhole) {
  if (await isWhole(target)) return;
  const parent = dirname(target);
  await mkdir(parent, { recursive: true });
  const aside = await mkdtemp(join(parent, `.${basename(target)}-`));
  try {
    await fill(aside);
    // mkdtemp makes it for its owner alone.
    await chmod(aside, 0o755);
    if (await isWhole(target)) return;
    await rm(target, { recursive: true, force: true });
    await rename(aside, target).catch(async (error) => {
      if (!(await isWhole(target))) throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}
