import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.mjs";

/** @param {string} file @returns {Record<string, { version?: string, optional?: boolean, devOptional?: boolean }>} by place */
const packagesIn = (file) =>
  existsSync(join(ROOT, file)) ? JSON.parse(readFileSync(join(ROOT, file), "utf8")).packages : {};

/** Installs the packages of package-lock.json, unless npm has them in node_modules already. */
export async function ensurePackages() {
  const present = packagesIn(join("node_modules", ".package-lock.json"));
  const isMissing = Object.entries(packagesIn("package-lock.json")).some(
    // The first is this package itself, and one that only some platforms need may be absent.
    ([place, { version, optional, devOptional }]) =>
      place !== "" && !optional && !devOptional && present[place]?.version !== version,
  );
  if (!isMissing) return;
  console.log("Installing packages (npm ci) …");
  const started = performance.now();
  // The tools are among the packages that npm leaves out for NODE_ENV=production and --omit=dev.
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund"];
  const [code, signal] = await once(spawn("npm", args, { cwd: ROOT, stdio: "inherit" }), "close");
  if (code !== 0)
    throw new Error(`npm ci failed (${signal ?? `exit code ${code}`}); what it printed above says why.`);
  console.log(`Packages installed in ${((performance.now() - started) / 1000).toFixed(0)} s.`);
}
