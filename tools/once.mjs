import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The files at a place, which is a file or a folder; none if nothing is there. @param {string} root @param {string} place */
async function filesAt(root, place) {
  const found = await stat(join(root, place)).catch(() => undefined);
  if (!found?.isDirectory()) return found === undefined ? [] : [place];
  const entries = await readdir(join(root, place), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

/** A digest of the paths and bytes of all files at these places. @param {string} root @param {readonly string[]} places */
async function digestOf(root, places) {
  const hash = createHash("sha256");
  const files = (await Promise.all(places.map((place) => filesAt(root, place)))).flat().sort();
  for (const file of files) {
    const bytes = await readFile(join(root, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest("hex");
}

/**
 * Does a work, unless its sources and its result are as they were when it was last done. Work that fails counts as not done.
 *
 * @param {object} places relative to `root`: files or folders
 * @param {string} places.root
 * @param {readonly string[]} places.sources what the work reads
 * @param {string} places.result the folder that it writes
 * @param {string} places.note the file that keeps their digests
 * @param {() => Promise<void>} work
 */
export async function doOnce({ root, sources, result, note }, work) {
  const file = join(root, note);
  const state = async () => `${await digestOf(root, sources)} ${await digestOf(root, [result])}\n`;
  if ((await readFile(file, "utf8").catch(() => "")) === (await state())) return;
  await rm(file, { force: true });
  const before = await digestOf(root, sources);
  await work();
  // What was edited meanwhile may be in the result or not.
  if ((await digestOf(root, sources)) !== before) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, await state());
}
