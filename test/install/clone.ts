import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { run } from "../../tools/child.mjs";
import { ROOT } from "../../tools/root.mjs";

/** A temporary folder, removed by `atEnd`. */
export async function scratch(name: string, atEnd: (end: () => Promise<void>) => unknown): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), `pulumi-tracking-${name}-`)));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Copies the repository's files as in a clone, without installed or built ones. */
export async function copySources(clone: string): Promise<void> {
  const { stdout } = await run("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
  });
  for (const file of stdout.split("\0")) {
    // A file that is being deleted is still listed.
    if (file === "" || !existsSync(join(ROOT, file))) continue;
    await mkdir(dirname(join(clone, file)), { recursive: true });
    await copyFile(join(ROOT, file), join(clone, file));
  }
}
