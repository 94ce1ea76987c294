import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureEngine } from "../tools/engine/setup.mjs";
import { packPackage } from "../tools/pack.mjs";
import { ensurePackages } from "../tools/packages.mjs";
import { ROOT } from "../tools/root.mjs";
import { runIfMain } from "../tools/run-if-main.mjs";
import { benchmark } from "./benchmark.mjs";
import { CANDIDATES, prepareProject } from "./candidates.mjs";
import { documentOf } from "./document.mjs";
import { measureSettings } from "./engine-settings.mjs";
import { Figures } from "./figures.mjs";
import { loadHost } from "./host.mjs";
import { machineRows } from "./machine.mjs";
import { operation } from "./operations.mjs";
import { readOptions, USAGE } from "./options.mjs";
import { refreshPaced } from "./paced.mjs";
import { panelsOf, plot } from "./plot.mjs";
import { startService } from "./service.mjs";

/**
 * @typedef {import("./goals.mjs").Report} Report
 * @typedef {Pick<Report, "states" | "paced" | "settings"> & { runs: readonly import("./measure.mjs").MeasuredRun[] }} Found
 */

const DOCUMENT = "docs/performance.md";
const PICTURE = "docs/performance.svg";
/** The size for the run against a slow service. */
const PACED = 1000;

/** Measures side by side, and writes docs/performance.md and its picture. */
async function bench() {
  const args = process.argv.slice(2);
  const options = readOptions(
    args,
    CANDIDATES.map(({ name }) => name),
  );
  await ensurePackages();
  const engine = await ensureEngine();
  await packPackage();
  /** @type {(() => Promise<void>)[]} */
  const endings = [];
  const attach = /** @param {Prepare} prepare */ async (prepare) => {
    const { client: service, stop } = await startService();
    endings.unshift(stop);
    const runner = await prepare({ engine, service });
    endings.unshift(runner.close);
    return runner;
  };
  try {
    const runners = [];
    for (const each of CANDIDATES)
      if (options.only.includes(each.name)) runners.push(await attach(each.prepare));
    const ours = runners.find(({ name }) => name === "ours");
    const pixels = ours && (await ofPixels(attach));
    const command = ["npm run bench", ...(args.length > 0 ? ["--", ...args] : [])].join(" ");
    const circumstances = { machine: await machineRows(engine), command };
    /** @param {Found} found */
    const text = ({ runs, ...found }) => {
      const report = { figures: new Figures(runs), ...pixels, ...found };
      return { document: documentOf(report, circumstances), picture: plot(panelsOf(report.figures)) };
    };
    /** @param {Found} found */
    const keep = async (found) => (options.write ? write(text(found)) : undefined);
    const apart = ours && { ...(await ofSettings(ours, options)), ...(await ofPace(attach, options.sizes)) };
    // A long run may be stopped early; it keeps what it has measured.
    const found = await benchmark(runners, options, console.log, (some) => keep({ ...some, ...apart }));
    const all = { ...found, ...apart };
    await keep(all);
    console.log(options.write ? `Wrote ${DOCUMENT} and ${PICTURE}.` : `\n${text(all).document}`);
  } finally {
    for (const end of endings) await end();
  }
}

/** @typedef {(environment: import("./candidates.mjs").Environment) => Promise<import("./measure.mjs").Runner>} Prepare */

/**
 * Measures a project with pixels: their state, and loading the host.
 *
 * @param {(prepare: Prepare) => Promise<import("./measure.mjs").Runner>} attach
 */
async function ofPixels(attach) {
  const tarball = await packPackage();
  /** @type {import("../tools/project.mjs").Project | undefined} */
  let project;
  const pixels = await attach(async (environment) => {
    const runner = await prepareProject("pixels", environment, { tarball });
    project = runner.project;
    return runner;
  });
  const { code } = await pixels.start(operation("up"), 10).finished;
  if (code !== 0 || project === undefined) throw new Error("The pixels could not be made.");
  return { host: await loadHost(project), pixels: await pixels.state() };
}

/**
 * Measures a project of its own, which keeps its records.
 *
 * @param {(prepare: Prepare) => Promise<import("./measure.mjs").Runner>} attach
 * @param {readonly number[]} sizes
 */
async function ofPace(attach, sizes) {
  if (!sizes.includes(PACED)) return {};
  const tarball = await packPackage();
  const runner = await attach((environment) => prepareProject("ours", environment, { tarball }));
  console.log(`Refreshing ${PACED} websites against 60 requests a minute …`);
  return { paced: await refreshPaced(runner, PACED) };
}

/**
 * @param {import("./measure.mjs").Runner} ours
 * @param {import("./options.mjs").Options} options
 */
async function ofSettings(ours, { settings, rounds }) {
  if (settings === undefined) return {};
  return { settings: await measureSettings(ours, settings, rounds(settings), console.log) };
}

/** @param {{ document: string, picture: string }} text */
async function write({ document, picture }) {
  await writeFile(join(ROOT, DOCUMENT), document);
  await writeFile(join(ROOT, PICTURE), picture);
}

await runIfMain(import.meta.url, bench, USAGE);
