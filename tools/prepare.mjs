import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildPackage } from "./build.mjs";
import { ensurePackages } from "./packages.mjs";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";

/** Builds the package where a package manager installs it from its sources, as in `npm install git+https://…`. */
async function prepare() {
  // Where the package manager was started: in another folder, if that one gets the package.
  const startedIn = process.env.INIT_CWD;
  if (startedIn === undefined || join(startedIn, "/") === join(ROOT, "/")) return;
  if (existsSync(join(ROOT, "dist"))) return;
  await ensurePackages();
  await buildPackage();
}

await runIfMain(import.meta.url, prepare);
