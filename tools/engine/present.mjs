import { existsSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { start } from "../child.mjs";
import { isUsable } from "./version.mjs";

/** The language host runs programs written for Node.js. */
export const LANGUAGE_HOST = "pulumi-language-nodejs";

/** The script by which the engine starts a process for dynamic providers. */
export const LAUNCHER = "pulumi-resource-pulumi-nodejs";

/** @typedef {{ bin: string, version: string }} Engine the folder of its executables, and which one it is */

/**
 * The `pulumi` that a shell would start, if it is usable and its plugin for Node.js is next to it or on
 * PATH as well.
 *
 * @param {string} path
 * @returns {Promise<Engine | undefined>}
 */
export async function engineOnPath(path) {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  const bin = folders.find((folder) => existsSync(join(folder, "pulumi")));
  if (bin === undefined) return undefined;
  const places = [bin, dirname(realpathSync(join(bin, "pulumi"))), ...folders];
  const complete = [LANGUAGE_HOST, LAUNCHER].every((name) =>
    places.some((place) => existsSync(join(place, name))),
  );
  const version = complete ? await engineVersion(bin) : undefined;
  return version !== undefined && isUsable(version) ? { bin, version } : undefined;
}

/**
 * Whether a folder holds an engine that starts here, and its plugin for Node.js.
 *
 * @param {string} bin
 */
export async function isWholeEngine(bin) {
  const complete = [LANGUAGE_HOST, LAUNCHER].every((name) => existsSync(join(bin, name)));
  return complete && (await engineVersion(bin)) !== undefined;
}

/** @param {string} bin */
async function engineVersion(bin) {
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const answer = await start(join(bin, "pulumi"), ["version"], { env }).finished.catch(() => undefined);
  return answer?.code === 0 ? answer.stdout.trim().replace(/^v/, "") : undefined;
}
