import { rmSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildPackage } from "./build.mjs";
import { run } from "./child.mjs";
import { ensurePackages } from "./packages.mjs";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";

/** What is published, beside a manifest of its own. */
const FILES = ["dist", "README.md", "LICENSE"];

/** @type {Promise<string> | undefined} */
let tarball;

/**
 * Builds the package and packs it as for publishing, once per process: further calls return the same file.
 *
 * @returns {Promise<string>} the tarball; it goes when the process ends
 */
export function packPackage() {
  tarball ??= buildPackage().then(async () => {
    const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-pack-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    return packBuilt(folder);
  });
  return tarball;
}

/**
 * Packs what is built, with a manifest that has nothing for those who change the package: no scripts, no tools.
 *
 * @param {string} folder
 */
async function packBuilt(folder) {
  const staged = await mkdtemp(join(tmpdir(), "pulumi-tracking-stage-"));
  try {
    for (const name of FILES) await cp(join(ROOT, name), join(staged, name), { recursive: true });
    const {
      scripts: _,
      devDependencies: __,
      ...manifest
    } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    await writeFile(join(staged, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: staged });
  } finally {
    rmSync(staged, { recursive: true, force: true });
  }
  const [file] = await readdir(folder);
  if (file === undefined) throw new Error("npm pack left no tarball");
  return join(folder, file);
}

const USAGE = `node tools/pack.mjs FOLDER

Builds the package, and packs it into an empty folder as it is published.`;

await runIfMain(
  import.meta.url,
  async () => {
    const [given] = process.argv.slice(2);
    if (given === undefined) throw new Error(USAGE);
    const folder = resolve(given);
    await mkdir(folder, { recursive: true });
    await ensurePackages();
    await buildPackage();
    console.log(await packBuilt(folder));
  },
  USAGE,
);
