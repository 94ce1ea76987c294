import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { run } from "../tools/child.mjs";
import { ensureEngine } from "../tools/engine/setup.mjs";
import { packPackage } from "../tools/pack.mjs";
import { ROOT } from "../tools/root.mjs";
import { loadSource } from "../tools/source.mjs";
import { CANDIDATES, prepare, startService } from "./candidates.mjs";
import { measureAll } from "./measure.mjs";
import { growthPage, page } from "./page.mjs";

const PAGE = join(ROOT, "bench", "performance.md");
const GROWTH_HEADING = "\n## Growth\n\n";

/** The page without its part on growth, and that part. */
const pageParts = async () => (await readFile(PAGE, "utf8")).split(GROWTH_HEADING);

/**
 * What the figures depend on, in the order of the page's table.
 *
 * @param {import("../tools/engine/setup.mjs").ReadyEngine} [engine]
 * @returns {Promise<[string, string][]>}
 */
async function machineFacts(engine) {
  /** @param {string[]} args */
  const git = async (...args) => (await run("git", args, { cwd: ROOT })).stdout.trim();
  const changed = (await git("status", "--porcelain", "--", ".", ":(exclude)docs")) === "" ? "" : ", changed";
  return [
    ["commit", `${await git("describe", "--always")}${changed}`],
    ["date", new Date().toISOString().slice(0, 10)],
    engine === undefined
      ? ["Node.js", process.versions.node]
      : ["Node.js, Pulumi", `${process.versions.node}, ${engine.version}`],
    ["processors", `${availableParallelism()}, ${process.platform} ${process.arch}`],
  ];
}

/** The processor time that loading `got` takes in each of five processes, in milliseconds. */
async function timesOfLoadingGot() {
  const program = `const { user, system } = process.cpuUsage(); await import("got");
    const after = process.cpuUsage(); console.log((after.user + after.system - user - system) / 1000);`;
  const times = [];
  for (let at = 0; at < 5; at += 1)
    times.push(
      Number((await run(process.execPath, ["--input-type=module", "--eval", program], { cwd: ROOT })).stdout),
    );
  return times;
}

/**
 * Measures what a record takes in our own code, and prints that part of the page, or writes it.
 *
 * @param {readonly number[]} sizes
 * @param {string} command
 * @param {{ write: boolean }} options
 */
async function growth(sizes, command, { write }) {
  /** @type {import("./growth.js").GrowthRun[]} */
  const runs = [];
  /** @type {typeof import("./growth.js")} */
  const { measureGrowth } = await loadSource("bench/growth.ts");
  await measureGrowth(sizes, startService, (run) => {
    runs.push(run);
    console.log(`${run.size} websites: ${run.operation}: ${run.cpuMs.toFixed(3)} ms each`);
  });
  const text = growthPage(runs, { machine: await machineFacts() }, command);
  if (write) await writeFile(PAGE, [(await pageParts())[0], text].join(GROWTH_HEADING));
  else console.log(`\n${text}`);
}

/** Measures the candidates in turns and prints a page, or writes it; with --growth, what a record takes in our own code. */
export async function bench() {
  const { write, ...values } = parseArgs({
    options: {
      growth: { type: "boolean", default: false },
      sizes: { type: "string" },
      rounds: { type: "string" },
      write: { type: "boolean", default: false },
    },
  }).values;
  const sizes = (values.sizes ?? `${values.growth ? [300, 1000, 3000, 10_000] : [10, 100, 1000]}`)
    .split(",")
    .map(Number);
  const command = ["npm run bench --", ...process.argv.slice(2)].join(" ").replace(/ --$/, "");
  if (values.growth) return growth(sizes, command, { write });
  const packages = { engine: await ensureEngine(), tarball: await packPackage() };
  const runners = [];
  try {
    for (const candidate of CANDIDATES) runners.push(await prepare(candidate, packages));
    /** @type {import("./page.mjs").Report & { runs: import("./measure.mjs").MeasuredRun[] }} */
    const report = {
      runs: [],
      machine: await machineFacts(packages.engine),
      gotMs: await timesOfLoadingGot(),
    };
    const rounds = (/** @type {number} */ size) => Number(values.rounds ?? (size < 1000 ? 5 : 3));
    await measureAll(runners, { sizes, rounds }, async (run) => {
      report.runs.push(run);
      const { candidate, size, operation, wallMs } = run;
      console.log(`${size} websites: ${operation} by ${candidate}: ${(wallMs / 1000).toFixed(1)} s`);
      // A long run may be stopped early; it keeps what it has measured.
      if (!write) return;
      await writeFile(PAGE, [page(report, command), (await pageParts())[1]].join(GROWTH_HEADING));
    });
    if (!write) console.log(`\n${page(report, command)}`);
  } finally {
    for (const runner of runners) await runner.close();
  }
}
