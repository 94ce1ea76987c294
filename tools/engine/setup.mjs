import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { createDirAtomically } from "../atomic-dir.mjs";
import { ensurePackages } from "../packages.mjs";
import { runIfMain } from "../run-if-main.mjs";
import { installOfficialEngine } from "./installer.mjs";
import { addLauncher, engineOnPath, isWholeEngine, keptEngine } from "./present.mjs";
import { buildEngine } from "./source.mjs";
import { ENGINE_VERSION, OLDEST_ENGINE } from "./version.mjs";

/**
 * @typedef {object} EngineSource a way to get a missing engine
 * @property {string} title
 * @property {(version: string, root: string) => Promise<void>} fill makes the folder `bin` in `root`, or says why not
 *
 * @typedef {import("./present.mjs").Engine & { env: NodeJS.ProcessEnv }} ReadyEngine `env` is the environment to
 *   start it in
 */

/** @type {readonly EngineSource[]} */
const SOURCES = [
  { title: "its official installer", fill: (version, root) => installOfficialEngine(version, root) },
  { title: "Go, from source (2 to 8 minutes, once)", fill: buildEngine },
];

/**
 * Finds the Pulumi engine, or gets it: the one on PATH, one kept under PULUMI_HOME, the official installer, a
 * build with Go. One line says each step. Needs the packages of package-lock.json.
 *
 * @param {object} [options]
 * @param {(line: string) => void} [options.log]
 * @param {NodeJS.ProcessEnv} [options.environment]
 * @param {readonly EngineSource[]} [options.sources]
 * @returns {Promise<ReadyEngine>}
 * @throws {Error} if there is no way to get it; the message says what to install
 */
export async function ensureEngine({ log = console.log, environment = process.env, sources = SOURCES } = {}) {
  const home = environment.PULUMI_HOME || join(homedir(), ".pulumi");
  const onPath = await engineOnPath(environment);
  const present = onPath ?? (await keptEngine(home));
  if (present === undefined) return ready(await newEngine(home, sources, log), environment);
  const place = onPath === undefined ? `kept in ${present.bin}` : `on PATH in ${present.bin}`;
  log(`Pulumi engine ${present.version}: ${place}.`);
  return ready(present, environment);
}

/**
 * @param {string} home PULUMI_HOME
 * @param {readonly EngineSource[]} sources
 * @param {(line: string) => void} log
 */
async function newEngine(home, sources, log) {
  const root = join(home, "versions", ENGINE_VERSION);
  const bin = join(root, "bin");
  const reasons = [];
  for (const { title, fill } of sources) {
    log(`Pulumi engine ${ENGINE_VERSION}: getting it with ${title} …`);
    try {
      await createDirAtomically(
        root,
        async (aside) => {
          await fill(ENGINE_VERSION, aside);
          await addLauncher(join(aside, "bin"));
        },
        (folder) => isWholeEngine(join(folder, "bin")),
      );
      log(`Pulumi engine ${ENGINE_VERSION}: ready in ${bin}.`);
      return { bin, version: ENGINE_VERSION };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      reasons.push(`- with ${title}: ${reason}`);
      log(`Pulumi engine ${ENGINE_VERSION}: not that way: ${reason.split("\n")[0]}`);
    }
  }
  throw new Error(
    [
      "The Pulumi engine could not be set up:",
      ...reasons,
      `Install Pulumi ${OLDEST_ENGINE} or newer (https://www.pulumi.com/docs/install) so that it is on PATH, or make one of these ways possible, and run this again.`,
    ].join("\n"),
  );
}

/**
 * @param {import("./present.mjs").Engine} engine
 * @param {NodeJS.ProcessEnv} environment
 * @returns {ReadyEngine}
 */
function ready(engine, environment) {
  const path = [engine.bin, environment.PATH].filter(Boolean).join(delimiter);
  return { ...engine, env: { ...environment, PATH: path, PULUMI_SKIP_UPDATE_CHECK: "true" } };
}

const usage = `node tools/engine/setup.mjs

Finds the Pulumi engine, or gets it: from its official installer, or else built with Go, which takes 2 to 8 minutes
the first time.`;

await runIfMain(
  import.meta.url,
  async () => {
    await ensurePackages();
    await ensureEngine();
  },
  usage,
);
