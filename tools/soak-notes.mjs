import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * @typedef {{ date: string, commit: string, node: string }} Origin of what a part came to: when, and with which code
 * @typedef {{ name: string } & Partial<Origin> & Record<string, any>} Note what one test came to; its file's name
 */

/**
 * What the parts of a run came to, and of earlier ones with the same folder.
 *
 * @param {string} folder
 * @returns {Promise<Note[]>}
 */
export async function readNotes(folder) {
  const names = await readdir(folder);
  return Promise.all(
    names.map(async (file) => {
      const text = await readFile(join(folder, file), "utf8");
      return { ...JSON.parse(text), name: file.replace(/\.json$/, "") };
    }),
  );
}

/**
 * Marks the notes that a part has written with where they come from, or drops them if it failed.
 *
 * @param {string} folder
 * @param {Origin | undefined} origin nothing if the part failed
 */
export async function keepNotes(folder, origin) {
  for (const note of await readNotes(folder)) {
    // It is of an earlier part.
    if (note.commit !== undefined) continue;
    const file = join(folder, `${note.name}.json`);
    if (origin === undefined) await rm(file);
    else await writeFile(file, JSON.stringify({ ...note, ...origin }));
  }
}
