import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./child.mjs";
import { ensureNpmPackage, npmInstall } from "./npm-package.mjs";

/** @typedef {keyof typeof INSTALL} PackageManager */

/** The folder of pnpm. */
export const ensurePnpm = () => ensureNpmPackage("pnpm", "12.21.0");

/** @param {string} folder @param {string[]} args */
const pnpm = async (folder, ...args) => {
  const file = join(await ensurePnpm(), "bin", "pnpm.mjs");
  const ways = ["--prefer-offline", "--ignore-scripts", "--ignore-workspace"];
  await run(process.execPath, [file, ...args, ...ways], { cwd: folder });
};

/** Each adds a package to those of a folder, as its user would. */
export const ADD = {
  npm: npmInstall,
  /** @param {string} folder @param {string} added */
  pnpm: (folder, added) => pnpm(folder, "add", added),
};

/** Each installs the packages of a folder's package.json as its user would, without their scripts. */
export const INSTALL = {
  npm: npmInstall,
  /** @param {string} folder */
  pnpm: (folder) => pnpm(folder, "install", "--no-frozen-lockfile"),
  /** @param {string} folder */
  "yarn 1": async (folder) => {
    const yarn = join(await ensureNpmPackage("yarn", "1.22.22"), "bin", "yarn.js");
    // A separate cache: it mistakes a file of the same name and version for an earlier pack of the package under test.
    const cache = join(folder, "..", "yarn-cache");
    const args = ["install", "--ignore-scripts", "--non-interactive", "--no-progress"];
    await run(process.execPath, [yarn, ...args, "--cache-folder", cache], { cwd: folder });
  },
  /** @param {string} folder */
  yarn: async (folder) => {
    const settings = ["nodeLinker: node-modules", "enableTelemetry: false", "enableScripts: false", ""];
    await writeFile(join(folder, ".yarnrc.yml"), settings.join("\n"));
    // It does not read npm's settings. Without its own lock file, it would look for a project further up.
    await writeFile(join(folder, "yarn.lock"), "");
    const { stdout } = await run("npm", ["config", "get", "registry"]);
    const yarn = join(await ensureNpmPackage("@yarnpkg/cli-dist", "4.18.1"), "bin", "yarn.js");
    const env = { ...process.env, YARN_NPM_REGISTRY_SERVER: stdout.trim() };
    await run(process.execPath, [yarn, "install", "--no-immutable"], { cwd: folder, env });
  },
  /** @param {string} folder */
  bun: async (folder) => {
    const arch = process.arch === "arm64" ? "aarch64" : process.arch;
    const bun = join(await ensureNpmPackage(`@oven/bun-${process.platform}-${arch}`, "1.4.5"), "bin", "bun");
    const env = { ...process.env, BUN_INSTALL_CACHE_DIR: join(folder, "..", "bun-cache") };
    await run(bun, ["install", "--ignore-scripts"], { cwd: folder, env });
  },
};
