import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.mjs";

/** Installs the packages of package-lock.json, unless npm has installed them since it was last written. */
export async function ensurePackages() {
  const installed = writtenAt(join("node_modules", ".package-lock.json"));
  if (installed !== undefined && installed >= (writtenAt("package-lock.json") ?? 0)) return;
  console.log("Installing packages (npm ci) …");
  const started = performance.now();
  // The tools are among the packages that npm leaves out for NODE_ENV=production and --omit=dev.
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund"];
  const [code, signal] = await once(spawn("npm", args, { cwd: ROOT, stdio: "inherit" }), "close");
  if (code !== 0)
    throw new Error(`npm ci failed (${signal ?? `exit code ${code}`}); what it printed above says why.`);
  console.log(`Packages installed in ${((performance.now() - started) / 1000).toFixed(0)} s.`);
}

/** @param {string} file in the repository */
const writtenAt = (file) => statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs;
