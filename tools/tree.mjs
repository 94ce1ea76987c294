import { constants } from "node:fs";
import { copyFile, link, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { join } from "node:path";

/**
 * Copies a folder of packages as hard links, which takes a tenth of the time and no space. Files that may be written to
 * in the new place are copied.
 *
 * @param {string} from
 * @param {string} to
 * @param {(name: string) => boolean} isOwned whether what lies in a folder of this name has to be a copy
 */
export async function linkTree(from, to, isOwned, owned = false) {
  await mkdir(to, { recursive: true });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) await linkTree(source, target, isOwned, owned || isOwned(entry.name));
    else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (owned) await copyFile(source, target, constants.COPYFILE_FICLONE);
    // Hard links do not work across disks.
    else await link(source, target).catch(() => copyFile(source, target));
  }
}
