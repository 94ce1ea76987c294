import { rmSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
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
  // In a copy, since others read package.json meanwhile.
  const copy = join(folder, "package");
  for (const name of ["dist", "docs", "README.md", "LICENSE", "package.json"])
    await cp(join(ROOT, name), join(copy, name), { recursive: true });
  // As `prepack` does it when the package is published.
  const manifest = JSON.parse(await readFile(join(copy, "package.json"), "utf8"));
  delete manifest.scripts.prepare;
  await writeFile(join(copy, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: copy });
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
