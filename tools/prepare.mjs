import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildPackage } from "./build.mjs";
import { ensurePackages } from "./packages.mjs";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";

const usage = `npm run prepare

Package managers run this. It builds the package where somebody installs it from its sources, as in
npm install git+https://…, and does nothing where npm ci or npm install set up this repository itself.`;

/**
 * Whether a package manager installs the package from these sources, and nobody has built them yet. It was then started
 * in another folder, the one that gets the package.
 *
 * @param {NodeJS.ProcessEnv} env `INIT_CWD` is the folder in which the package manager was started
 * @param {string} root
 */
export function isWantedElsewhere({ INIT_CWD: startedIn }, root) {
  return (
    startedIn !== undefined && join(startedIn, "/") !== join(root, "/") && !existsSync(join(root, "dist"))
  );
}

async function prepare() {
  if (!isWantedElsewhere(process.env, ROOT)) return;
  await ensurePackages();
  await buildPackage();
}

await runIfMain(import.meta.url, prepare, usage);
