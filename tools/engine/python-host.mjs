import { delimiter, join } from "node:path";
import { createDirAtomically } from "../atomic-dir.mjs";
import { ROOT } from "../root.mjs";
import { isExecutable, PYTHON_HOST, PYTHON_SCRIPT } from "./present.mjs";
import { buildPythonHost } from "./source.mjs";

/** Where a host is kept that is built here. */
const KEPT = join(ROOT, "node_modules", ".cache", "pulumi-tracking", PYTHON_HOST);

/**
 * The environment in which the engine runs programs in Python: with the language host that is on PATH, or else with
 * one built with Go.
 *
 * @param {NodeJS.ProcessEnv} env of an engine
 * @returns {Promise<NodeJS.ProcessEnv>}
 * @throws {Error} if neither works; the message says why
 */
export async function withPythonHost(env) {
  const folders = (env.PATH ?? "").split(delimiter);
  if (folders.some(isHost)) return env;
  await createDirAtomically(KEPT, buildPythonHost, isHost);
  return { ...env, PATH: [KEPT, ...folders].join(delimiter) };
}

/** @param {string} folder */
function isHost(folder) {
  return [PYTHON_HOST, PYTHON_SCRIPT].every((name) => isExecutable(join(folder, name)));
}
