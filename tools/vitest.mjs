import { spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "./root.mjs";

/**
 * Runs vitest in this terminal.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number | null>} the exit code
 */
export function vitest(args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(ROOT, "node_modules", "vitest", "vitest.mjs"), ...args], {
      cwd: ROOT,
      env,
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.on("error", reject);
    child.on("close", resolve);
  });
}
