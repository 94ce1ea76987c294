import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { runChanged } from "./broken.mjs";
import { guards } from "./guards.mjs";
import { promises } from "./promises.mjs";

/**
 * Breaks each promise in turn, and runs the test that guards it. Throws if that test does not fail.
 *
 * @returns {Promise<readonly import("./document.mjs").Broken[]>}
 */
export async function breakPromises() {
  const silent = [];
  for (const [at, breach] of promises.entries()) {
    const { promise, change, test, name } = breach;
    const noticed = await isBreachNoticed(breach, test, name);
    if (!noticed) silent.push(change);
    console.log(
      `[${at + 1} of ${promises.length}] ${noticed ? "noticed" : "NOT NOTICED"}: ${change} (${promise})`,
    );
  }
  if (silent.length > 0) throw new Error(`No test fails where ${silent.join("; ")}`);
  return promises.map(({ promise, change, file, test, name }) => ({ promise, change, file, test, name }));
}

/**
 * Removes each ownership check in turn, and prints which of the generated stories detects it. An error where none does.
 *
 * @param {string} seed of the stories
 */
export async function takeOutGuards(seed) {
  Object.assign(process.env, { MUTATION_SEED: seed });
  const silent = [];
  for (const [at, breach] of guards.entries()) {
    if (breach.unreachable !== undefined) {
      console.log(
        `[${at + 1} of ${guards.length}] no story can detect it: ${breach.change}; ${breach.unreachable}`,
      );
      continue;
    }
    const { noticed, output } = await runBroken(breach, "test/model/ownership.test.ts");
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
 * @param {string} test the file of the test
 * @param {string} [name] of the one test that counts; without it, all do
 */
async function isBreachNoticed(breach, test, name) {
  return (await runBroken(breach, test, name)).noticed;
}

/**
 * @param {import("./promises.mjs").Breach} breach
 * @param {string} test
 * @param {string} [name]
 */
async function runBroken({ file, code, instead }, test, name) {
  if ((await readFile(join(ROOT, file), "utf8")).split(code).length !== 2)
    throw new Error(`${file} does not have once: ${code}`);
  return runChanged(file, (text) => text.replace(code, () => instead), [test], name);
}
