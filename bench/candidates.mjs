import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { start } from "../tools/child.mjs";
import { packPackage } from "../tools/pack.mjs";
import { createProject } from "../tools/project.mjs";
import { KEY } from "./service.mjs";
import { stateOf } from "./state.mjs";

/**
 * @typedef {import("./measure.mjs").Runner} Runner
 *
 * @typedef {object} Environment where they run
 * @property {import("../tools/engine/setup.mjs").ReadyEngine} engine
 * @property {import("../emulator/index.js").EmulatorClient} service
 *
 * @typedef {object} Candidate
 * @property {string} name
 * @property {string} says what it is, for the document
 * @property {(environment: Environment) => Promise<Runner>} prepare
 */

/** In the order in which they run: those that are compared closely are neighbours. @type {readonly Candidate[]} */
export const CANDIDATES = [
  {
    name: "ours",
    says: "this package, packed and installed into a fresh project",
    prepare: async (environment) => prepareProject("ours", environment, { tarball: await packPackage() }),
  },
  {
    name: "floor",
    says: "this package's mechanism, with a provider that sends nothing: what the engine itself takes",
    prepare: async (environment) => ({ ...(await prepareProject("floor", environment)), sendsNothing: true }),
  },
  {
    name: "bare",
    says: "the fewest requests that do it, with `got`, 8 at once, without Pulumi",
    prepare: async (environment) => prepareBare(environment),
  },
  {
    name: "naive",
    says: "a dynamic provider in the form that Pulumi's documentation shows: closures over `got`, in the program",
    prepare: (environment) => prepareProject("naive", environment),
  },
];

/**
 * A candidate of Pulumi's: a program of `bench/programs`, and the packages that it wants.
 *
 * @param {string} name
 * @param {Environment} environment
 * @param {{ tarball?: string }} [packages]
 * @returns {Promise<Runner & { project: import("../tools/project.mjs").Project }>}
 */
export async function prepareProject(name, { engine, service }, packages = {}) {
  const from = join("bench", "programs", name);
  const project = await createProject({ from, engine, ...packages });
  if (name === "floor")
    await cp(join(project.folder, "package"), join(project.folder, "node_modules", "floor"), {
      recursive: true,
    });
  const urls = ["analyticsBaseUrl", "dataBaseUrl"].map((each) => `tracking:${each}=${service.url}`);
  const settings = ["--secret", `tracking:apiKey=${KEY}`, ...urls.flatMap((each) => ["--plaintext", each])];
  await project.pulumi(["config", "set-all", ...settings]);
  return {
    name,
    project,
    service,
    start: ({ args, email }, size) =>
      project.start(args, { env: { BENCH_SIZE: String(size), BENCH_EMAIL: String(email) } }),
    isProvider: (command) => command.includes("cmd/dynamic-provider"),
    state: async () => stateOf(await project.state()),
    close: () => project.remove(),
  };
}

/**
 * @param {Environment} environment
 * @returns {Runner}
 */
function prepareBare({ service }) {
  const script = fileURLToPath(new URL("bare.mjs", import.meta.url));
  return {
    name: "bare",
    service,
    start: ({ name }, size) => start(process.execPath, [script, service.url, name, String(size)]),
    takesPart: ({ write, reads }) => write !== undefined || reads === true,
    isProvider: (command) => command.includes(script),
    state: async () => undefined,
    close: async () => {},
  };
}
