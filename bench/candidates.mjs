import { fork } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { start } from "../tools/child.mjs";
import { createProject } from "../tools/project.mjs";
import { ROOT } from "../tools/root.mjs";

/**
 * @typedef {object} Candidate
 * @property {string} name
 * @property {string} description for the page
 * @property {string} [from] what its program imports; without it, it runs without Pulumi
 * @property {Readonly<Record<string, string>>} [files] of `bench/programs` that its project has, by their places there;
 *   without them, it has the packed package
 * @property {boolean} [sendsNothing] whether the service never sees it
 * @property {readonly string[]} [only] the operations that it takes part in; by default all
 * @property {number} [rounds] the rounds of each size that it takes part in; by default all
 *
 * @typedef {Pick<import("./operations.mjs").Operation, "args" | "email" | "write">} Command what a candidate runs
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
    files: { "node_modules/floor/index.js": "floor.js", "node_modules/floor/index.d.ts": "floor.d.ts" },
    sendsNothing: true,
  },
  {
    name: "bare",
    description: "the same work in the fewest requests with `got`, 8 at a time, without Pulumi",
  },
  {
    name: "naive",
    description:
      "a dynamic provider as Pulumi's documentation shows it: closures over `got` in the program; in one round, since it takes as long as all others",
    from: "./naive",
    files: { "naive.ts": "naive.ts" },
    only: ["up", "destroy"],
    rounds: 1,
  },
];

const KEY = "bench-key";
const PROGRAMS = join(ROOT, "bench", "programs");
const PULUMI_YAML = `name: bench
runtime: nodejs
plugins: { providers: [{ name: tracking, path: node_modules/.bin }] }
`;
/** The text of a file of `bench/programs`. */
const programText = (/** @type {string} */ file) => readFile(join(PROGRAMS, file), "utf8");

/** @typedef {import("../test/service/index.js").EmulatorClient} Control */
/** @typedef {import("../test/service/process.js").Question["method"]} Method */

/** The tests' service, in a process of its own. */
export async function startService() {
  const child = fork(join(ROOT, "bench", "service.mjs"), [KEY], { serialization: "advanced" });
  const ended = once(child, "exit");
  const nextMessage = async () => {
    const [message] = await Promise.race([once(child, "message"), ended]);
    if (typeof message !== "object") throw new Error("The service has ended.");
    return message?.result;
  };
  /**
   * What its control says, one question at a time.
   *
   * @template {Method} M
   * @param {M} method
   * @param {Parameters<Control[M]>} args
   * @returns {Promise<ReturnType<Control[M]>>}
   */
  const ask = (method, ...args) => {
    child.send({ method, args });
    return nextMessage();
  };
  const stop = async () => {
    child.disconnect();
    await ended;
  };
  return { url: /** @type {string} */ (await nextMessage()), ask, stop };
}

/**
 * A candidate with a service of its own.
 *
 * @param {Candidate} candidate
 * @param {{ engine: import("../tools/engine/setup.mjs").ReadyEngine, tarball: string }} packages
 */
export async function prepare(candidate, { engine, tarball }) {
  const { from, files } = candidate;
  const service = await startService();
  if (from === undefined) {
    const bare = (/** @type {Command} */ { write }, /** @type {number} */ size) =>
      start(process.execPath, [join(PROGRAMS, "bare.mjs"), service.url, KEY, write ?? "GET", `${size}`]);
    return { candidate, service, start: bare, close: service.stop, stateBytes: undefined };
  }
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const { typescript, "@types/node": node } = devDependencies;
  const manifest = {
    private: true,
    dependencies: files === undefined ? { "pulumi-tracking": "*" } : { got: dependencies.got },
    devDependencies: { typescript, "@types/node": node },
  };
  const project = await createProject({
    files: {
      "Pulumi.yaml": PULUMI_YAML,
      "package.json": JSON.stringify(manifest),
      "tsconfig.json": await readFile(join(ROOT, "templates", "typescript", "tsconfig.json"), "utf8"),
      "index.ts": (await programText("program.ts")).replace("pulumi-tracking", from),
    },
    engine,
    ...(files === undefined && { tarball }),
  });
  for (const [place, file] of Object.entries(files ?? {}))
    await project.write(place, await programText(file));
  const urls = ["analyticsBaseUrl", "dataBaseUrl"].map((name) => `tracking:${name}=${service.url}`);
  const settings = ["--secret", `tracking:apiKey=${KEY}`, ...urls.flatMap((url) => ["--plaintext", url])];
  await project.pulumi(["config", "set-all", ...settings]);
  const run = (/** @type {Command} */ { args, email }, /** @type {number} */ size) =>
    project.start(args, { env: { BENCH_SIZE: `${size}`, BENCH_EMAIL: `${email}` } });
  /** Bytes of a website in the checkpoint of the file backend; the mean of all. */
  const stateBytes = async () => {
    /** @type {{ resources: { type: string }[] }} */
    const { resources } = JSON.parse(await readFile(project.stateFile("bench"), "utf8")).checkpoint.latest;
    const websites = resources.filter(({ type }) => /:dynamic|tracking:index/.test(type));
    return Buffer.byteLength(JSON.stringify(websites)) / websites.length;
  };
  const close = () => project.remove().then(service.stop);
  return { candidate, service, start: run, close, stateBytes };
}
