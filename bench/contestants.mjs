import { cp } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { start } from "../tools/child.mjs";
import { packPackage } from "../tools/pack.mjs";
import { createProject } from "../tools/project.mjs";
import { KEY } from "./service.mjs";
import { stateOf } from "./state.mjs";

/**
 * @typedef {import("./measure.mjs").Entrant} Entrant
 *
 * @typedef {object} Ground where they run
 * @property {import("../tools/engine/setup.mjs").ReadyEngine} engine
 * @property {import("../emulator/index.js").EmulatorClient} service
 *
 * @typedef {object} Contestant
 * @property {string} name
 * @property {string} says what it is, for the document
 * @property {(ground: Ground) => Promise<Entrant>} enter
 */

/** In the order in which they run: those that are compared closely are neighbours. @type {readonly Contestant[]} */
export const CONTESTANTS = [
  {
    name: "ours",
    says: "this package, packed and installed into a fresh project",
    enter: async (ground) => enterProject("ours", ground, { tarball: await packPackage() }),
  },
  {
    name: "floor",
    says: "this package's mechanism, with a provider that sends nothing: what the engine itself takes",
    enter: async (ground) => ({ ...(await enterProject("floor", ground)), sendsNothing: true }),
  },
  {
    name: "bare",
    says: "the fewest requests that do it, with `got`, 8 at once, without Pulumi",
    enter: async (ground) => enterBare(ground),
  },
  {
    name: "naive",
    says: "a dynamic provider in the form that Pulumi's documentation shows: closures over `got`, in the program",
    enter: (ground) => enterProject("naive", ground),
  },
];

/**
 * A contestant of Pulumi's: a program of `bench/programs`, and the packages that it wants.
 *
 * @param {string} name
 * @param {Ground} ground
 * @param {{ tarball?: string }} [packages]
 * @returns {Promise<Entrant & { project: import("../tools/project.mjs").Project }>}
 */
export async function enterProject(name, { engine, service }, packages = {}) {
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
    leave: () => project.remove(),
  };
}

/**
 * @param {Ground} ground
 * @returns {Entrant}
 */
function enterBare({ service }) {
  const script = fileURLToPath(new URL("bare.mjs", import.meta.url));
  return {
    name: "bare",
    service,
    start: ({ name }, size) => start(process.execPath, [script, service.url, name, String(size)]),
    takesPart: ({ write, reads }) => write !== undefined || reads === true,
    isProvider: (command) => command.includes(script),
    state: async () => undefined,
    leave: async () => {},
  };
}
