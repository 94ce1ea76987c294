import { existsSync } from "node:fs";
import { cp, readFile } from "node:fs/promises";
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
 * @typedef {object} Environment what they run against
 * @property {import("../tools/engine/setup.mjs").ReadyEngine} engine
 * @property {import("../emulator/index.js").EmulatorClient} service
 *
 * @typedef {object} Candidate
 * @property {string} name
 * @property {string} description for the document
 * @property {(environment: Environment) => Promise<Runner>} prepare
 */

/** What a candidate measures whose operations take minutes each. */
const SLOW = "with 1,000 websites only `up` and `destroy`";

/** @type {NonNullable<Runner["takesPart"]>} */
const ifSlow = ({ write }, size) => size < 1000 || write === "POST" || write === "DELETE";

/** In the order in which they run: the ones to compare closely run side by side. @type {readonly Candidate[]} */
export const CANDIDATES = [
  {
    name: "ours",
    description: "this package, packed and installed in a fresh project",
    prepare: async (environment) => prepareProject("ours", environment, { tarball: await packPackage() }),
  },
  {
    name: "native",
    description: "the same package's plugin",
    prepare: async (environment) => prepareProject("native", environment, { tarball: await packPackage() }),
  },
  {
    name: "floor",
    description:
      "the same resources, with the same outputs and a constant text for their provider, which sends nothing, and nothing else of ours: the engine's own cost",
    prepare: async (environment) => ({ ...(await prepareProject("floor", environment)), sendsNothing: true }),
  },
  {
    name: "bare",
    description: "the same work in the fewest requests, with `got`, 8 at a time, without Pulumi",
    prepare: async (environment) => prepareBare(environment),
  },
  {
    name: "module",
    description: `a dynamic provider in a package of its own, as experienced users write it; ${SLOW}`,
    prepare: async (environment) => ({ ...(await prepareProject("module", environment)), takesPart: ifSlow }),
  },
  {
    name: "naive",
    description: `a dynamic provider as Pulumi's documentation shows it: closures over \`got\` in the program; ${SLOW}`,
    prepare: async (environment) => ({ ...(await prepareProject("naive", environment)), takesPart: ifSlow }),
  },
];

/**
 * A candidate that Pulumi runs: a program of `bench/programs` and the packages it needs.
 *
 * @param {string} name
 * @param {Environment} environment
 * @param {{ tarball?: string }} [packages]
 * @returns {Promise<Runner & { project: import("../tools/project.mjs").Project }>}
 */
export async function prepareProject(name, { engine, service }, packages = {}) {
  const from = join("bench", "programs", name);
  const project = await createProject({ from, engine, ...packages });
  const own = join(project.folder, "package");
  if (existsSync(own)) {
    const manifest = JSON.parse(await readFile(join(own, "package.json"), "utf8"));
    await cp(own, join(project.folder, "node_modules", manifest.name), { recursive: true });
  }
  const urls = ["analyticsBaseUrl", "dataBaseUrl"].map((each) => `tracking:${each}=${service.url}`);
  const settings = ["--secret", `tracking:apiKey=${KEY}`, ...urls.flatMap((each) => ["--plaintext", each])];
  await project.pulumi(["config", "set-all", ...settings]);
  return {
    name,
    project,
    service,
    start: ({ args, email, env }, size) =>
      project.start(args, { env: { ...env, BENCH_SIZE: String(size), BENCH_EMAIL: String(email) } }),
    isProvider: (command) => /cmd\/dynamic-provider|pulumi-resource-tracking/.test(command),
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
