import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ensureEngine } from "../tools/engine/setup.mjs";
import { whenEntry } from "../tools/entry.mjs";
import { packPackage } from "../tools/pack.mjs";
import { ensurePackages } from "../tools/packages.mjs";
import { ROOT } from "../tools/root.mjs";
import { contest } from "./contest.mjs";
import { CONTESTANTS, enterProject } from "./contestants.mjs";
import { documentOf } from "./document.mjs";
import { Figures } from "./figures.mjs";
import { loadHost } from "./host.mjs";
import { machineRows } from "./machine.mjs";
import { operation } from "./operations.mjs";
import { readOptions, USAGE } from "./options.mjs";
import { refreshPaced } from "./paced.mjs";
import { panelsOf, plot } from "./plot.mjs";
import { startService } from "./service.mjs";

/** From so many records on, the run against a slow service tells something. */
const PACED = 1000;

/** Measures side by side, and writes docs/performance.md and its picture. */
async function bench() {
  const args = process.argv.slice(2);
  const options = readOptions(
    args,
    CONTESTANTS.map(({ name }) => name),
  );
  if (options.help) {
    console.log(USAGE);
    return;
  }
  await ensurePackages();
  const engine = await ensureEngine();
  await packPackage();
  /** @type {(() => Promise<void>)[]} */
  const endings = [];
  const enter = /** @param {Enter} enter */ async (enter) => {
    const { client: service, stop } = await startService();
    endings.unshift(stop);
    const entrant = await enter({ engine, service });
    endings.unshift(entrant.leave);
    return entrant;
  };
  try {
    const entrants = [];
    for (const each of CONTESTANTS)
      if (options.only.includes(each.name)) entrants.push(await enter(each.enter));
    const { runs, states } = await contest(entrants, options, console.log);
    const ours = entrants.find(({ name }) => name === "ours");
    const more = ours && { ...(await ofPixels(enter)), ...(await ofPace(ours, options.sizes)) };
    const report = { figures: new Figures(runs), states, ...more };
    const command = ["npm run bench", ...(args.length > 0 ? ["--", ...args] : [])].join(" ");
    const circumstances = { machine: await machineRows(engine), command, rounds: options.rounds };
    await publish(report, circumstances, options.write);
  } finally {
    for (const end of endings) await end();
  }
}

/** @typedef {(ground: import("./contestants.mjs").Ground) => Promise<import("./measure.mjs").Entrant>} Enter */

/**
 * What is measured in a project with pixels: their state, and the host that they load.
 *
 * @param {(enter: Enter) => Promise<import("./measure.mjs").Entrant>} enter
 */
async function ofPixels(enter) {
  const tarball = await packPackage();
  /** @type {import("../tools/project.mjs").Project | undefined} */
  let project;
  const pixels = await enter(async (ground) => {
    const entrant = await enterProject("pixels", ground, { tarball });
    project = entrant.project;
    return entrant;
  });
  const { code } = await pixels.start(operation("up"), 10).finished;
  if (code !== 0 || project === undefined) throw new Error("The pixels could not be made.");
  return { host: await loadHost(project), pixels: await pixels.state() };
}

/**
 * @param {import("./measure.mjs").Entrant} ours
 * @param {readonly number[]} sizes
 */
async function ofPace(ours, sizes) {
  if (!sizes.includes(PACED)) return {};
  console.log(`Refreshing ${PACED} websites against 60 requests a minute …`);
  return { paced: await refreshPaced(ours, PACED) };
}

/**
 * @param {import("./goals.mjs").Report} report
 * @param {import("./document.mjs").Circumstances} circumstances
 * @param {boolean} write
 */
async function publish(report, circumstances, write) {
  const text = documentOf(report, circumstances);
  if (!write) {
    console.log(`\n${text}`);
    return;
  }
  await writeFile(join(ROOT, "docs", "performance.md"), text);
  await writeFile(join(ROOT, "docs", "performance.svg"), plot(panelsOf(report.figures)));
  console.log("Wrote docs/performance.md and docs/performance.svg.");
}

await whenEntry(import.meta.url, bench);
