import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { createDirAtomically } from "../atomic-dir.mjs";
import { engineOnPath, isWholeEngine } from "./present.mjs";
import { buildEngine } from "./source.mjs";
import { ENGINE_VERSION, OLDEST_ENGINE } from "./version.mjs";

/** @typedef {import("./present.mjs").Engine & { env: NodeJS.ProcessEnv }} ReadyEngine `env` is what to start it in */

/**
 * Lets the Automation API download the engine. It hangs behind a firewall that drops packets.
 *
 * @param {string} version
 * @param {string} root
 */
async function installOfficialEngine(version, root) {
  for (const place of ["https://get.pulumi.com", "https://github.com"])
    await fetch(place, { method: "HEAD", signal: AbortSignal.timeout(15_000) }).catch((error) => {
      throw new Error(`${place} does not answer (${error.cause?.message ?? error.message})`);
    });
  // Packages that may be missing when this module is loaded.
  const require = createRequire(import.meta.url);
  const sdk = require.resolve("@pulumi/pulumi/automation");
  const { SemVer } = require(require.resolve("semver", { paths: [sdk] }));
  await require(sdk).PulumiCommand.install({ version: new SemVer(version), root });
}

/** The ways to get a missing engine: each makes the folder `bin` in a root, or says why not. */
const SOURCES = [
  { title: "its official installer", fill: installOfficialEngine },
  { title: "Go, from source (2 to 8 minutes, once)", fill: buildEngine },
];

/** The engine where the Automation API puts its own. @param {(line: string) => void} log */
async function ownEngine(log) {
  const home = process.env.PULUMI_HOME || join(homedir(), ".pulumi");
  const root = join(home, "versions", ENGINE_VERSION);
  const engine = { bin: join(root, "bin"), version: ENGINE_VERSION };
  const isWhole = (/** @type {string} */ folder) => isWholeEngine(join(folder, "bin"));
  const reasons = [];
  for (const { title, fill } of (await isWhole(root)) ? [] : SOURCES) {
    log(`Pulumi engine ${ENGINE_VERSION}: getting it with ${title} …`);
    try {
      await createDirAtomically(root, (aside) => fill(ENGINE_VERSION, aside), isWhole);
      break;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      reasons.push(`- with ${title}: ${reason}`);
      log(`Pulumi engine ${ENGINE_VERSION}: not that way: ${reason.split("\n")[0]}`);
    }
  }
  if (reasons.length === SOURCES.length)
    throw new Error(
      [
        "The Pulumi engine could not be set up:",
        ...reasons,
        `Install Pulumi ${OLDEST_ENGINE} or newer (https://www.pulumi.com/docs/install) so that it is on PATH, or make one of these ways possible, and run this again.`,
      ].join("\n"),
    );
  return engine;
}

/**
 * Finds the Pulumi engine, or gets it: the one on PATH, ours under PULUMI_HOME, the official installer, a build with
 * Go. One line says each step. Needs the packages of package-lock.json.
 *
 * @param {{ log?: (line: string) => void }} [options]
 * @returns {Promise<ReadyEngine>}
 * @throws {Error} if there is no way to get it; the message says what to install
 */
export async function ensureEngine({ log = console.log } = {}) {
  const engine = (await engineOnPath(process.env.PATH ?? "")) ?? (await ownEngine(log));
  log(`Pulumi engine ${engine.version}: in ${engine.bin}.`);
  const path = [engine.bin, process.env.PATH].filter(Boolean).join(delimiter);
  return { ...engine, env: { ...process.env, PATH: path, PULUMI_SKIP_UPDATE_CHECK: "true" } };
}
