import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { createDirAtomically } from "../atomic-dir.mjs";
import { installOfficialEngine } from "./installer.mjs";
import { addLauncher, engineOnPath, isWholeEngine, keptEngine } from "./present.mjs";
import { buildEngine } from "./source.mjs";
import { ENGINE_VERSION, OLDEST_ENGINE } from "./version.mjs";

/** @typedef {import("./present.mjs").Engine & { env: NodeJS.ProcessEnv }} ReadyEngine `env` is what to start it in */

/** The ways to get a missing engine: each makes the folder `bin` in a root, or says why not. */
const SOURCES = [
  { title: "its official installer", fill: installOfficialEngine },
  { title: "Go, from source (2 to 8 minutes, once)", fill: buildEngine },
];

/**
 * Finds the Pulumi engine, or gets it: the one on PATH, one kept under PULUMI_HOME, the official installer, a
 * build with Go. One line says each step. Needs the packages of package-lock.json.
 *
 * @param {{ log?: (line: string) => void }} [options]
 * @returns {Promise<ReadyEngine>}
 * @throws {Error} if there is no way to get it; the message says what to install
 */
export async function ensureEngine({ log = console.log } = {}) {
  const home = process.env.PULUMI_HOME || join(homedir(), ".pulumi");
  const onPath = await engineOnPath(process.env);
  const present = onPath ?? (await keptEngine(home));
  if (present === undefined) return ready(await newEngine(home, log));
  const place = onPath === undefined ? `kept in ${present.bin}` : `on PATH in ${present.bin}`;
  log(`Pulumi engine ${present.version}: ${place}.`);
  return ready(present);
}

/**
 * @param {string} home PULUMI_HOME
 * @param {(line: string) => void} log
 */
async function newEngine(home, log) {
  const root = join(home, "versions", ENGINE_VERSION);
  const bin = join(root, "bin");
  const reasons = [];
  for (const { title, fill } of SOURCES) {
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

/** @param {import("./present.mjs").Engine} engine @returns {ReadyEngine} */
function ready(engine) {
  const path = [engine.bin, process.env.PATH].filter(Boolean).join(delimiter);
  return { ...engine, env: { ...process.env, PATH: path, PULUMI_SKIP_UPDATE_CHECK: "true" } };
}
