import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.mjs";

/** @typedef {{ version?: string, link?: boolean, optional?: boolean, devOptional?: boolean }} LockedPackage */

/** Installs the packages of package-lock.json, unless node_modules already has them. */
export async function ensurePackages() {
  const wanted = lockedPackages(join(ROOT, "package-lock.json"));
  // What npm last installed there.
  const present = lockedPackages(join(ROOT, "node_modules", ".package-lock.json"));
  const isMissing = Object.entries(wanted).some(([place, { version, link, optional, devOptional }]) => {
    if (!place.startsWith("node_modules/")) return false;
    const there = present[place];
    // One that only some platforms need may be absent.
    if (there === undefined) return !(optional || devOptional);
    return there.version !== version || there.link !== link;
  });
  if (!isMissing) return;
  console.log("Installing packages (npm ci) …");
  const started = performance.now();
  await npmCi();
  console.log(`Packages installed in ${((performance.now() - started) / 1000).toFixed(0)} s.`);
}

/**
 * @param {string} file
 * @returns {Record<string, LockedPackage>} by place
 */
function lockedPackages(file) {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")).packages ?? {}) : {};
}

async function npmCi() {
  // The tools are among the packages that npm leaves out for NODE_ENV=production and --omit=dev.
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund"];
  const child = spawn("npm", args, { cwd: ROOT, stdio: "inherit" });
  const [code, signal] = await once(child, "close");
  if (code !== 0)
    throw new Error(`npm ci failed (${signal ?? `exit code ${code}`}); what it printed above says why.`);
}
