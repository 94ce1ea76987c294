import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildPackage, PLUGIN } from "../build.mjs";
import { ensurePackages } from "../packages.mjs";
import { ROOT } from "../root.mjs";
import { runIfMain } from "../run-if-main.mjs";

const NAME = "pulumi-resource-tracking";
/** The files of each system's archive. Windows starts no script by its first line. */
const FILES = {
  linux: [NAME],
  darwin: [NAME],
  windows: [`${NAME}.cmd`, `${NAME}.js`],
};
const ARCHITECTURES = /** @type {const} */ (["amd64", "arm64"]);
const LAUNCHER = `@node "%~dp0\\${NAME}.js" %*\r\n`;
/**
 * The first lines of the plugin, which a shell runs and JavaScript skips: `env` would say of a missing Node.js only that
 * a file is missing, and the engine would call that an error of the provider.
 */
const START = `#!/bin/sh
':' //; command -v node >/dev/null || { echo "The plugin ${NAME} needs Node.js 20.19 or newer, and PATH has no node: install Node.js (https://nodejs.org)." >&2; exit 1; }; exec node "$0" "$@"
`;

/**
 * Writes the plugin's archives, one for each system and architecture, under the names by which the engine asks a
 * release for them: the same bytes whenever and wherever they are made. The plugin is JavaScript: the archives differ
 * for Windows alone.
 *
 * @param {string} folder
 * @param {string} plugin the bundled file
 * @returns {Promise<string[]>} their names
 */
export async function writeArchives(folder, plugin) {
  // On a fresh clone, this module is loaded before packages are installed.
  const { create } = await import("tar");
  /** @type {{ version: string }} */
  const { version } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  await mkdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), "pulumi-tracking-plugin-"));
  const names = [];
  try {
    const runnable = { mode: 0o755 };
    const program = await readFile(plugin, "utf8");
    await writeFile(join(scratch, `${NAME}.js`), program, runnable);
    await writeFile(join(scratch, NAME), program.replace(/^#!.*\n/, START), runnable);
    await writeFile(join(scratch, `${NAME}.cmd`), LAUNCHER, runnable);
    for (const [system, files] of Object.entries(FILES))
      for (const architecture of ARCHITECTURES) {
        const name = `${NAME}-v${version}-${system}-${architecture}.tar.gz`;
        const file = join(resolve(folder), name);
        const mtime = new Date(0);
        await create({ file, cwd: scratch, gzip: { level: 9 }, portable: true, mtime }, files);
        names.push(name);
      }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return names;
}

const usage = `npm run plugin -- FOLDER

Writes the plugin's archives into a folder, one for each system and architecture, as a release has them. The same
sources give the same bytes.`;

/** Writes the archives, or says how. */
async function plugin() {
  await ensurePackages();
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error(usage);
  await buildPackage();
  for (const name of await writeArchives(folder, join(ROOT, "dist", PLUGIN))) console.log(name);
}

await runIfMain(import.meta.url, plugin, usage);
