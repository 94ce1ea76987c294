import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { isNoticed } from "./broken.mjs";
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
 * Removes each ownership check in turn, and prints whether the generated stories detect it. Some are detected only by
 * the tests that `breakPromises` runs, because the stories do not reach what they guard against.
 *
 * @param {string} seed of the stories
 */
export async function takeOutGuards(seed) {
  Object.assign(process.env, { MUTATION_SEED: seed });
  for (const [at, breach] of guards.entries()) {
    const noticed = await isBreachNoticed(breach, "test/model/ownership.test.ts");
    console.log(
      `[${at + 1} of ${guards.length}] ${noticed ? `detected by stories of seed ${seed}` : "not reached by the stories"}: ${breach.change} (${breach.test}: ${breach.name})`,
    );
  }
}

/**
 * @param {import("./promises.mjs").Breach} breach
 * @param {string} test the file of the test
 * @param {string} [name] of the one test that counts; without it, all do
 */
async function isBreachNoticed({ file, code, instead }, test, name) {
  if ((await readFile(join(ROOT, file), "utf8")).split(code).length !== 2)
    throw new Error(`${file} does not have once: ${code}`);
  return isNoticed(file, (text) => text.replace(code, () => instead), [test], name);
}
