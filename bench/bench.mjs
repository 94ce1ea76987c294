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

const PAGE = join(ROOT, "docs", "performance.md");
const GROWTH = "\n## Growth\n\n";

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
  if (values.growth) return growth(sizes, command, write);
  const packages = { engine: await ensureEngine(), tarball: await packPackage() };
  const runners = [];
  try {
    for (const candidate of CANDIDATES) runners.push(await prepare(candidate, packages));
    /** @type {import("./page.mjs").Report & { runs: import("./measure.mjs").MeasuredRun[] }} */
    const report = { runs: [], machine: await machine(packages.engine) };
    const rounds = (/** @type {number} */ size) => Number(values.rounds ?? (size < 1000 ? 5 : 3));
    await measureAll(runners, { sizes, rounds }, async (found) => {
      report.runs.push(found);
      const { candidate, size, operation, wallMs } = found;
      console.log(`${size} websites: ${operation} by ${candidate}: ${(wallMs / 1000).toFixed(1)} s`);
      // A long run may be stopped early; it keeps what it has measured.
      if (!write) return;
      await writeFile(PAGE, [page(report, command), (await parts())[1]].join(GROWTH));
    });
    if (!write) console.log(`\n${page(report, command)}`);
  } finally {
    for (const runner of runners) await runner.close();
  }
}

/** The page without its part on growth, and that part. */
const parts = async () => (await readFile(PAGE, "utf8")).split(GROWTH);

/** @param {readonly number[]} sizes @param {string} command @param {boolean} write */
async function growth(sizes, command, write) {
  /** @type {import("./growth.js").Grown[]} */
  const runs = [];
  /** @type {typeof import("./growth.js")} */
  const { measureGrowth } = await loadSource("bench/growth.ts");
  await measureGrowth(sizes, startService, (run) => {
    runs.push(run);
    console.log(`${run.size} websites: ${run.operation}: ${run.cpuMs.toFixed(3)} ms each`);
  });
  const text = growthPage(runs, { machine: await machine() }, command);
  if (write) await writeFile(PAGE, [(await parts())[0], text].join(GROWTH));
  else console.log(`\n${text}`);
}

/**
 * @param {import("../tools/engine/setup.mjs").ReadyEngine} [engine]
 * @returns {Promise<[string, string][]>}
 */
async function machine(engine) {
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
