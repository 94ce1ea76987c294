import { rmSync } from "node:fs";
import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackage } from "./build.mjs";
import { run } from "./child.mjs";
import { ROOT } from "./root.mjs";

/** @type {Promise<string> | undefined} */
let tarball;

async function packBuilt() {
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-pack-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: ROOT });
  const file = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
  if (file === undefined) throw new Error("npm pack left no tarball");
  return join(folder, file);
}

/**
 * Builds the package and packs it as for publishing, once per process: further calls return the same file.
 *
 * @returns {Promise<string>} the tarball; it goes when the process ends
 */
export function packPackage() {
  tarball ??= buildPackage().then(packBuilt);
  return tarball;
}
