import { realpathSync } from "node:fs";
import { pathToFileURL } from "node:url";

/**
 * Runs `main` if a module is what `node` was asked to run, and not imported by another. A failure prints its
 * message alone and ends with exit code 1.
 *
 * @param {string} url the module's `import.meta.url`
 * @param {() => Promise<void>} main
 */
export async function whenEntry(url, main) {
  const script = process.argv[1];
  if (script === undefined || pathToFileURL(realpathSync(script)).href !== url) return;
  try {
    await main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
