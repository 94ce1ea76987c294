import { rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { run } from "./child.mjs";
import { ensureNpmPackage, npmInstall } from "./npm-package.mjs";

/** @typedef {keyof typeof INSTALL} PackageManager */

const YARN_1 = "1.22.22";
const YARN = "4.18.1";
const BUN = "1.4.4";

/** Each installs the packages of a folder's package.json as its user would, without their scripts. */
export const INSTALL = {
  npm: npmInstall,
  /** @param {string} folder */
  pnpm: (folder) => {
    const args = ["install", "--prefer-offline", "--ignore-scripts", "--ignore-workspace"];
    return run(process.execPath, [pnpm(), ...args, "--no-frozen-lockfile"], { cwd: folder });
  },
  /** @param {string} folder */
  "yarn 1": async (folder) => {
    const yarn = join(await ensureNpmPackage("yarn", YARN_1), "bin", "yarn.js");
    // A separate cache: it mistakes a file of the same name and version for an earlier pack of the package under test.
    const cache = join(folder, ".yarn-cache");
    const args = ["install", "--ignore-scripts", "--non-interactive", "--no-progress"];
    await run(process.execPath, [yarn, ...args, "--cache-folder", cache], { cwd: folder });
    await rm(cache, { recursive: true, force: true });
  },
  /** @param {string} folder */
  yarn: async (folder) => {
    const settings = ["nodeLinker: node-modules", "enableTelemetry: false", "enableScripts: false", ""];
    await writeFile(join(folder, ".yarnrc.yml"), settings.join("\n"));
    // It does not read npm's settings. Without its own lock file, it would look for a project further up.
    await writeFile(join(folder, "yarn.lock"), "");
    const { stdout } = await run("npm", ["config", "get", "registry"]);
    const yarn = join(await ensureNpmPackage("@yarnpkg/cli-dist", YARN), "bin", "yarn.js");
    const env = { ...process.env, YARN_NPM_REGISTRY_SERVER: stdout.trim() };
    await run(process.execPath, [yarn, "install", "--no-immutable"], { cwd: folder, env });
  },
  /** @param {string} folder */
  bun: async (folder) => {
    const arch = process.arch === "arm64" ? "aarch64" : process.arch;
    const bun = join(await ensureNpmPackage(`@oven/bun-${process.platform}-${arch}`, BUN), "bin", "bun");
    const cache = join(folder, ".bun-cache");
    const env = { ...process.env, BUN_INSTALL_CACHE_DIR: cache };
    await run(bun, ["install", "--ignore-scripts"], { cwd: folder, env });
    await rm(cache, { recursive: true, force: true });
  },
};

/** The script of the pnpm in this repository's packages. */
function pnpm() {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve("pnpm");
  return join(manifest, "..", require(manifest).bin.pnpm);
}
