import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { run } from "../tools/child.mjs";
import { ensureEngine } from "../tools/engine/setup.mjs";
import { packPackage } from "../tools/pack.mjs";
import { ensurePackages } from "../tools/packages.mjs";
import { ROOT } from "../tools/root.mjs";
import { runIfMain } from "../tools/run-if-main.mjs";
import { CANDIDATES, prepare } from "./candidates.mjs";
import { measureAll } from "./measure.mjs";
import { page } from "./page.mjs";
import { plot } from "./plot.mjs";

const USAGE = `npm run bench -- [--sizes 10,100,1000] [--rounds 5] [--only ours,floor,bare] [--write]

Measures the candidates of bench/candidates.mjs in turns, through the real engine, and prints a page with the figures;
--write puts it into docs/performance.md, with its picture. By default all candidates at 10 and 100 websites in 5 rounds
and at 1,000 in 3, which takes one to two hours; --sizes 10,100 takes some 15 minutes.`;

async function bench() {
  const { sizes, only, write, ...values } = parseArgs({
    options: {
      sizes: { type: "string", default: "10,100,1000" },
      rounds: { type: "string" },
      only: { type: "string", default: CANDIDATES.map(({ name }) => name).join(",") },
      write: { type: "boolean", default: false },
    },
  }).values;
  const command = ["npm run bench --", ...process.argv.slice(2)].join(" ").replace(/ --$/, "");
  await ensurePackages();
  const packages = { engine: await ensureEngine(), tarball: await packPackage() };
  const runners = [];
  try {
    for (const candidate of CANDIDATES)
      if (only.split(",").includes(candidate.name)) runners.push(await prepare(candidate, packages));
    /** @type {import("./page.mjs").Report & { runs: import("./measure.mjs").MeasuredRun[] }} */
    const report = { runs: [], machine: await machine(packages.engine) };
    const rounds = (/** @type {number} */ size) => Number(values.rounds ?? (size < 1000 ? 5 : 3));
    await measureAll(runners, { sizes: sizes.split(",").map(Number), rounds }, async (found) => {
      report.runs.push(found);
      const { candidate, size, operation, wallMs } = found;
      console.log(`${size} websites: ${operation} by ${candidate}: ${(wallMs / 1000).toFixed(1)} s`);
      // A long run may be stopped early; it keeps what it has measured.
      if (!write) return;
      await writeFile(join(ROOT, "docs", "performance.md"), page(report, command));
      await writeFile(join(ROOT, "docs", "performance.svg"), plot(report.runs));
    });
    if (!write) console.log(`\n${page(report, command)}`);
  } finally {
    for (const runner of runners) await runner.close();
  }
}

/**
 * @param {import("../tools/engine/setup.mjs").ReadyEngine} engine
 * @returns {Promise<[string, string][]>}
 */
async function machine(engine) {
  /** @param {string[]} args */
  const git = async (...args) => (await run("git", args, { cwd: ROOT })).stdout.trim();
  const changed = (await git("status", "--porcelain", "--", ".", ":(exclude)docs")) === "" ? "" : ", changed";
  return [
    ["commit", `${await git("describe", "--always")}${changed}`],
    ["date", new Date().toISOString().slice(0, 10)],
    ["Node.js, Pulumi", `${process.versions.node}, ${engine.version}`],
    ["processors", `${availableParallelism()}, ${process.platform} ${process.arch}`],
  ];
}

await runIfMain(import.meta.url, bench, USAGE);
