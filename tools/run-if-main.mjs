import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { runWithSupportedNode } from "./node.mjs";
import { ensurePackages } from "./packages.mjs";

/**
 * Runs `main`, with a supported version of Node.js and all packages installed, if `node` was started with this module, and
 * not if another module imports it. An error prints only its message and ends with exit code 1.
 *
 * Such a module may be the first to run on a fresh clone, so everything it imports, directly or not, must be part of
 * an older Node.js or of this repository. Packages, and modules that need them, are imported on first use.
 *
 * @param {string} url the module's `import.meta.url`
 * @param {() => Promise<void>} main
 */
export async function runIfMain(url, main) {
  const script = process.argv[1];
  if (script === undefined || pathToFileURL(realpathSync(script)).href !== url) return;
  try {
    if (await runWithSupportedNode()) return;
    // Not for the tests, which use the packages that are installed.
    if (process.env.VITEST === undefined) await ensurePackages();
    await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
