import { fork } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { start } from "../tools/child.mjs";
import { createProject } from "../tools/project.mjs";
import { ROOT } from "../tools/root.mjs";

/**
 * @typedef {object} Candidate
 * @property {string} name
 * @property {string} description for the page
 * @property {string} [from] what its program requires; without it, it runs without Pulumi
 * @property {string} [place] in the project, of its file in `bench/programs`; without it, it has the packed package
 * @property {boolean} [sendsNothing] whether the service never sees it
 * @property {readonly string[]} [only] the operations that it takes part in; by default all
 *
 * @typedef {Pick<import("./operations.mjs").Operation, "args" | "email" | "write">} Asked
 * @typedef {Awaited<ReturnType<typeof prepare>>} Runner a candidate that is ready to run
 */

/** In the order in which they run: the ones to compare closely run side by side. @type {readonly Candidate[]} */
export const CANDIDATES = [
  { name: "ours", description: "this package, installed in a fresh project", from: "pulumi-tracking" },
  { name: "native", description: "the same package's plugin", from: "pulumi-tracking/native" },
  {
    name: "floor",
    description: "the same resources over a provider that sends nothing: the engine's own cost",
    from: "floor",
    place: "node_modules/floor/index.js",
    sendsNothing: true,
  },
  {
    name: "bare",
    description: "the same work in the fewest requests with `got`, 8 at a time, without Pulumi",
  },
  {
    name: "naive",
    description: "a dynamic provider as Pulumi's documentation shows it: closures over `got` in the program",
    from: "./naive",
    place: "program/naive.js",
    only: ["up", "destroy"],
  },
];

const KEY = "bench-key";
const PROGRAMS = join(ROOT, "bench", "programs");
const PULUMI_YAML = `name: bench
main: program
runtime: { name: nodejs, options: { typescript: false } }
plugins: { providers: [{ name: tracking, path: node_modules/.bin }] }
`;

/**
 * A candidate with a service of its own.
 *
 * @param {Candidate} candidate
 * @param {{ engine: import("../tools/engine/setup.mjs").ReadyEngine, tarball: string }} packages
 */
export async function prepare(candidate, { engine, tarball }) {
  const { name, from, place } = candidate;
  const { service, stop } = await startService();
  if (from === undefined) {
    const bare = (/** @type {Asked} */ { write }, /** @type {number} */ size) =>
      start(process.execPath, [join(PROGRAMS, "bare.mjs"), service.url, KEY, write ?? "GET", `${size}`]);
    return { candidate, service, project: undefined, start: bare, close: stop };
  }
  const { got } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8")).dependencies;
  const dependencies = place === undefined ? { "pulumi-tracking": "*" } : { got };
  const files = {
    "Pulumi.yaml": PULUMI_YAML,
    "package.json": JSON.stringify({ private: true, dependencies }),
  };
  const project = await createProject({ files, engine, ...(place === undefined && { tarball }) });
  await project.write("program/index.js", await readFile(join(PROGRAMS, "program.js"), "utf8"));
  if (place !== undefined) await project.write(place, await readFile(join(PROGRAMS, `${name}.js`), "utf8"));
  const urls = ["analyticsBaseUrl", "dataBaseUrl"].map((each) => `tracking:${each}=${service.url}`);
  const settings = ["--secret", `tracking:apiKey=${KEY}`, ...urls.flatMap((each) => ["--plaintext", each])];
  await project.pulumi(["config", "set-all", ...settings]);
  const run = (/** @type {Asked} */ { args, email }, /** @type {number} */ size) =>
    project.start(args, { env: { BENCH_PACKAGE: from, BENCH_SIZE: `${size}`, BENCH_EMAIL: `${email}` } });
  const close = () => project.remove().then(stop);
  return { candidate, service, project, start: run, close };
}

/** The tests' service, in a process of its own. */
export async function startService() {
  const child = fork(await serviceFile(), [KEY], { serialization: "advanced" });
  const ended = once(child, "exit");
  const answer = async () => {
    const [message] = await Promise.race([once(child, "message"), ended]);
    if (typeof message !== "object") throw new Error("The service has ended.");
    return message?.result;
  };
  /** @param {import("../test/service/process.js").Asked} asked one at a time */
  const ask = ({ method, args }) => {
    child.send({ method, args });
    return answer();
  };
  const service = {
    url: /** @type {string} */ (await answer()),
    configure: (/** @type {Change} */ change) => ask({ method: "configure", args: [change] }),
    clearRequests: () => ask({ method: "clearRequests", args: [] }),
    /** @returns {Promise<ReturnType<Control["websites"]>>} */
    websites: () => ask({ method: "websites", args: [] }),
    /** @returns {Promise<ReturnType<Control["requests"]>>} */
    requests: () => ask({ method: "requests", args: [] }),
  };
  const stop = async () => {
    child.disconnect();
    await ended;
  };
  return { service, stop };
}

/** @typedef {import("../test/service/index.js").EmulatorClient} Control */
/** @typedef {Parameters<Control["configure"]>[0]} Change */

/** @type {Promise<string> | undefined} */
let built;

/** What such a process runs, in one file. */
function serviceFile() {
  built ??= bundleService();
  return built;
}

async function bundleService() {
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-service-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "service.cjs");
  // On a fresh clone, this module is loaded before packages are installed.
  const { build } = await import("rolldown");
  await build({
    input: join(ROOT, "test", "service", "process.ts"),
    platform: "node",
    output: { file, format: "cjs" },
  });
  return file;
}
