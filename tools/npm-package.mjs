import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createDirAtomically } from "./atomic-dir.mjs";
import { run } from "./child.mjs";
import { NODE_PACKAGE } from "./node.mjs";
import { ROOT } from "./root.mjs";

const PLACE = join(ROOT, "node_modules", ".cache", "pulumi-tracking", "packages");

/**
 * A package that only a few tests need: installed once, on first use.
 *
 * @param {string} name
 * @param {string} version as npm takes it: `22.12.0`, or `24` for the newest of that line
 * @param {Readonly<Record<string, string>>} beside other packages that it needs, with their versions
 * @returns {Promise<string>} its folder
 */
export async function ensureNpmPackage(name, version, beside = {}) {
  const place = (/** @type {string} */ folder) => join(folder, "node_modules", name);
  const folder = join(PLACE, name.replace("/", "+"), version);
  await createDirAtomically(
    folder,
    async (aside) => {
      const manifest = { private: true, dependencies: { [name]: version, ...beside } };
      await writeFile(join(aside, "package.json"), JSON.stringify(manifest));
      // Also one for another system.
      await npmInstall(aside, "--force");
    },
    (whole) => existsSync(place(whole)),
  );
  return place(folder);
}

/** Installs what a folder's package.json names, without scripts. @param {string} folder @param {string[]} more */
export function npmInstall(folder, ...more) {
  const args = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", ...more];
  return run("npm", args, { cwd: folder });
}

/**
 * Another version of Node.js, from the npm registry.
 *
 * @param {string} version as npm takes it: `22.12.0`, or `24` for the newest of that line
 * @returns {Promise<string>} the folder to prepend to PATH
 */
export async function ensureNode(version) {
  return join(await ensureNpmPackage(NODE_PACKAGE, version), "bin");
}
