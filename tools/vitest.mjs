import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "./root.mjs";

/**
 * Runs vitest in this terminal.
 *
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number | null>} the exit code
 */
export async function vitest(args, env = process.env) {
  const script = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const stdio = /** @type {const} */ (["ignore", "inherit", "inherit"]);
  const child = spawn(process.execPath, [script, ...args], { cwd: ROOT, env, stdio: [...stdio] });
  const [code] = await once(child, "close");
  return code;
}
