import { accessSync, constants, existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { chmod, copyFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { start } from "../child.mjs";
import { compareVersions, isNewEnough } from "./version.mjs";

/** The language host runs programs written for Node.js. */
export const LANGUAGE_HOST = "pulumi-language-nodejs";

/** The script by which the engine starts a process for dynamic providers. */
const LAUNCHER = "pulumi-resource-pulumi-nodejs";

/** @typedef {{ bin: string, version: string }} Engine the folder of its executables, and which one it is */

/**
 * The `pulumi` that a shell would start, if it is new enough and its plugin for Node.js is next to it or on
 * PATH as well.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @returns {Promise<Engine | undefined>}
 */
export async function engineOnPath(environment) {
  const folders = (environment.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const bin = folders.find((folder) => isExecutable(join(folder, "pulumi")));
  if (bin === undefined) return undefined;
  const places = [bin, dirname(realpathSync(join(bin, "pulumi"))), ...folders];
  const complete = [LANGUAGE_HOST, LAUNCHER].every((name) =>
    places.some((place) => isExecutable(join(place, name))),
  );
  const version = complete ? await engineVersion(bin) : undefined;
  return version !== undefined && isNewEnough(version) ? { bin, version } : undefined;
}

/**
 * The newest engine kept under PULUMI_HOME, where the Automation API and the official npm package put theirs.
 *
 * @param {string} home PULUMI_HOME
 * @returns {Promise<Engine | undefined>}
 */
export async function keptEngine(home) {
  const versions = join(home, "versions");
  if (!existsSync(versions)) return undefined;
  const names = readdirSync(versions).filter((name) => isNewEnough(name));
  for (const name of names.sort(compareVersions).reverse()) {
    const bin = join(versions, name, "bin");
    if (!(await isWholeEngine(bin))) continue;
    await addLauncher(bin);
    return { bin, version: name };
  }
  return undefined;
}

/**
 * Whether a folder holds an engine that starts here, and its language host.
 *
 * @param {string} bin
 */
export async function isWholeEngine(bin) {
  return isExecutable(join(bin, LANGUAGE_HOST)) && (await engineVersion(bin)) !== undefined;
}

/**
 * Puts the launcher of dynamic providers next to an engine that came without one.
 *
 * @param {string} bin
 */
export async function addLauncher(bin) {
  const place = join(bin, LAUNCHER);
  if (isExecutable(place)) return;
  const sdk = dirname(createRequire(import.meta.url).resolve("@pulumi/pulumi/package.json"));
  await copyFile(join(sdk, LAUNCHER), place);
  await chmod(place, 0o755);
}

/** @param {string} bin */
async function engineVersion(bin) {
  if (!isExecutable(join(bin, "pulumi"))) return undefined;
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const asked = start(join(bin, "pulumi"), ["version"], { env });
  const limit = setTimeout(() => asked.stop("SIGKILL"), 15_000);
  const answer = await asked.finished.catch(() => undefined);
  clearTimeout(limit);
  return answer?.code === 0 ? answer.stdout.trim().replace(/^v/, "") : undefined;
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
