import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const HOUR = 3_600_000;

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
  await sweep(parent, HOUR, (name) => name.startsWith(`.${basename(target)}-`));
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

/**
 * Removes the directories in `parent` that are older than `age`: left by a killed process, or no longer used.
 *
 * @param {string} parent
 * @param {number} age milliseconds
 * @param {(name: string) => boolean} [isOurs]
 */
export async function sweep(parent, age, isOurs = () => true) {
  for (const entry of await readdir(parent, { withFileTypes: true })) {
    if (!entry.isDirectory() || !isOurs(entry.name)) continue;
    const folder = join(parent, entry.name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > age) await rm(folder, { recursive: true, force: true });
  }
}
