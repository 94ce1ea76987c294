import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";

/**
 * @typedef {{ version?: string, link?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage
 * @typedef {{ packages?: Record<string, LockedPackage> }} Lock
 */

/**
 * Installs the packages of package-lock.json, unless node_modules already has them.
 *
 * @param {object} [options]
 * @param {string} [options.root] the folder of package-lock.json
 * @param {(line: string) => void} [options.log]
 * @param {(root: string) => Promise<void>} [options.install]
 */
export async function ensurePackages({ root = ROOT, log = console.log, install = npmCi } = {}) {
  const missing = missingPackages(
    readLock(join(root, "package-lock.json")),
    readLock(join(root, "node_modules", ".package-lock.json")),
  );
  if (missing.length === 0) return;
  log("Installing packages (npm ci) …");
  const started = performance.now();
  await install(root);
  log(`Packages installed in ${((performance.now() - started) / 1000).toFixed(0)} s.`);
}

/**
 * The places in node_modules that are empty or hold another version than the lock file. One that only some
 * platforms need may be empty.
 *
 * @param {Lock} wanted package-lock.json
 * @param {Lock} present what npm says of node_modules, in node_modules/.package-lock.json
 */
export function missingPackages(wanted, present) {
  return Object.entries(wanted.packages ?? {})
    .filter(([place, { version, link, optional, devOptional }]) => {
      if (!place.startsWith("node_modules/")) return false;
      const there = present.packages?.[place];
      if (there === undefined) return !(optional || devOptional);
      return there.version !== version || there.link !== link;
    })
    .map(([place]) => place);
}

/**
 * @param {string} file
 * @returns {Lock}
 */
function readLock(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
}

/** @param {string} root */
async function npmCi(root) {
  // The tools are among the packages that npm leaves out for NODE_ENV=production and --omit=dev.
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund"];
  const child = spawn("npm", args, { cwd: root, stdio: "inherit" });
  const [code, signal] = await once(child, "close");
  if (code !== 0)
    throw new Error(`npm ci failed (${signal ?? `exit code ${code}`}); what it printed above says why.`);
}

await runIfMain(import.meta.url, () => ensurePackages());
