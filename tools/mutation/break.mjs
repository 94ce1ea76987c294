import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { projectOf } from "../vitest.mjs";
import { runChanged } from "./broken.mjs";
import { guards } from "./guards.mjs";
import { isNoticedInCopy } from "./project-copy.mjs";
import { groups } from "./promises.mjs";
import { cellsOf } from "./promises-section.mjs";

const STORIES = "test/model/ledger.test.ts";

/**
 * Breaks promises in turn, and runs the test that guards each. It hands on each that was noticed as it goes; at the end
 * it throws if a test did not fail.
 *
 * @param {{ only?: string | undefined, engine: boolean, known: import("./document.mjs").Seen }} options `only`: the ones
 *   with this text; `engine`: also those whose test needs the real engine; `known`: not those that were seen
 * @param {(breach: import("./promises.mjs").Breach) => Promise<void>} keep
 */
export async function breakPromises({ only = "", engine, known }, keep) {
  const chosen = groups.flatMap(({ title, breaches }) =>
    breaches.filter((breach) => [title, ...Object.values(breach)].join("\n").includes(only)),
  );
  if (chosen.length === 0) throw new Error(`No promise has "${only}" in its row or title.`);
  const todo = chosen.filter(
    (breach) => (engine || !needsEngine(breach)) && known[cellsOf(breach).join(" | ")] === undefined,
  );
  const silent = [];
  for (const [at, breach] of todo.entries()) {
    const noticed = readsFiles(breach)
      ? await isNoticedInCopy(breach, await brokenCode(breach))
      : (await runBroken(breach, breach.test, breach.name)).noticed;
    if (noticed) await keep(breach);
    else silent.push(breach.change);
    console.log(`[${at + 1} of ${todo.length}] ${noticed ? "noticed" : "NOT NOTICED"}: ${breach.change}`);
  }
  if (silent.length > 0) throw new Error(`No test fails where ${silent.join("; ")}`);
}

/** @param {import("./promises.mjs").Breach} breach */
function needsEngine({ test }) {
  return projectOf(test) !== "unit";
}

/** @param {import("./promises.mjs").Breach} breach */
function readsFiles(breach) {
  return needsEngine(breach) || breach.test.startsWith("test/house/");
}

/**
 * Removes each ownership check in turn, and prints which of the generated stories detects it. An error where none does.
 *
 * @param {string} seed of the stories
 */
export async function takeOutGuards(seed) {
  Object.assign(process.env, { MUTATION_SEED: seed });
  const file = guards[0]?.file ?? "provider/lifecycle/ledger.ts";
  // What fails without a change detects nothing.
  const whole = await runChanged(file, (code) => code, [STORIES]);
  if (whole.noticed)
    throw new Error(`Stories of seed ${seed} fail with every check in place:\n${whole.output}`);
  const silent = [];
  for (const [at, breach] of guards.entries()) {
    const { noticed, output } = await runBroken(breach, STORIES);
    const story = /failed after (\d+) tests/.exec(output)?.[1] ?? "?";
    if (!noticed) silent.push(breach.change);
    console.log(
      `[${at + 1} of ${guards.length}] ${noticed ? `detected by story ${story} of seed ${seed}` : "NOT DETECTED"}: ${breach.change}`,
    );
  }
  if (silent.length > 0) throw new Error(`No story of seed ${seed} detects that ${silent.join("; ")}`);
}

/**
 * @param {import("./promises.mjs").Breach} breach
 * @param {string} test
 * @param {string} [name] of the one test that counts; without it, all do
 */
async function runBroken(breach, test, name) {
  const code = await brokenCode(breach);
  return runChanged(breach.file, () => code, [test], name);
}

/** @param {import("./promises.mjs").Breach} breach */
async function brokenCode({ file, code, instead }) {
  const text = await readFile(join(ROOT, file), "utf8");
  if (text.split(code).length !== 2) throw new Error(`${file} does not have once: ${code}`);
  return text.replace(code, () => instead);
}
