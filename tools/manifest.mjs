import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./root.mjs";

/** The packed package's name in a project's folder. */
export const TARBALL = "pulumi-tracking.tgz";

/**
 * @typedef {object} Manifest the parts of a package.json that matter here
 * @property {string} [name]
 * @property {boolean} [private]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [devDependencies]
 */

/**
 * The package.json of a program, with the versions to test. A program without one gets the compiler that this
 * repository uses.
 *
 * @param {string} folder the program's
 * @param {boolean} packed whether the program has the packed package
 * @param {string} [pulumiVersion] of `@pulumi/pulumi`; by default the one that this repository uses
 * @returns {Promise<Manifest>}
 */
export async function programManifest(folder, packed, pulumiVersion) {
  const { devDependencies: own = {} } = await readManifest(ROOT);
  const manifest = existsSync(join(folder, "package.json")) ? await readManifest(folder) : starter(own);
  const { "pulumi-tracking": _, ...others } = manifest.dependencies ?? {};
  const dependencies = {
    ...others,
    "@pulumi/pulumi": pulumiVersion ?? own["@pulumi/pulumi"] ?? "latest",
    ...(packed && { "pulumi-tracking": `file:${TARBALL}` }),
  };
  return { ...manifest, dependencies };
}

/**
 * @param {Record<string, string>} own the repository's devDependencies
 * @returns {Manifest}
 */
function starter({ typescript = "latest", "@types/node": node = "latest" }) {
  return { name: "fresh", private: true, devDependencies: { typescript, "@types/node": node } };
}

/**
 * @param {string} folder
 * @returns {Promise<Manifest>}
 */
async function readManifest(folder) {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
}
