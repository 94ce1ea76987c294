import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";

/**
 * Runs `main` if `node` was started with this module, and not if another module imports it. An error prints only its
 * message and ends with exit code 1. With `--help`, it prints the usage instead.
 *
 * Such a module may be the first to run on a fresh clone, so everything it imports, directly or not, must be part of
 * Node.js or of this repository. Packages are imported on first use, after `ensurePackages`.
 *
 * @param {string} url the module's `import.meta.url`
 * @param {() => Promise<void>} main
 * @param {string} [usage]
 */
export async function runIfMain(url, main, usage) {
  const script = process.argv[1];
  if (script === undefined || pathToFileURL(realpathSync(script)).href !== url) return;
  if (usage !== undefined && process.argv.slice(2).some((arg) => arg === "--help" || arg === "-h")) {
    console.log(usage);
    return;
  }
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
