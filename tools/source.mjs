import { createRequire } from "node:module";
import { join } from "node:path";
import { compileFunction, constants } from "node:vm";
import { ROOT } from "./root.mjs";

/** In the repository, so that the code finds the packages that it needs, and this package by its name. */
const PLACE = join(ROOT, "tools", "source.cjs");

/**
 * Bundles one of the repository's sources with all that it imports, but for packages.
 *
 * @param {string} input
 * @returns {Promise<string>} a CommonJS module
 */
export async function bundleSource(input) {
  // On a fresh clone, this module is loaded before packages are installed.
  const { build } = await import("rolldown");
  const output = /** @type {const} */ ({ format: "cjs", exports: "named", codeSplitting: false });
  const built = await build({ cwd: ROOT, platform: "node", input, external: /^[^./]/, write: false, output });
  return built.output[0].code;
}

/**
 * Compiles one of the repository's sources with all that it imports. Each call of what it returns loads the exports again, with
 * other modules in the place of those that it names.
 *
 * @template T
 * @param {string} input
 * @returns {Promise<(others?: Record<string, unknown>) => T>}
 */
export async function compileSource(input) {
  const run = compileFunction(await bundleSource(input), ["exports", "require", "__filename"], {
    filename: PLACE,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const load = createRequire(PLACE);
  return (others = {}) => {
    const exports = {};
    run(exports, (/** @type {string} */ name) => others[name] ?? load(name), PLACE);
    return /** @type {T} */ (exports);
  };
}

/**
 * Loads what one of the repository's sources exports.
 *
 * @template T
 * @param {string} input
 * @returns {Promise<T>}
 */
export async function loadSource(input) {
  const load = await compileSource(input);
  return /** @type {T} */ (load());
}
