import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { isNoticed } from "./broken.mjs";
import { promises } from "./promises.mjs";

/**
 * Breaks each promise in turn, and runs the test that holds it. An error where that test does not fail.
 *
 * @returns {Promise<readonly import("./document.mjs").Broken[]>}
 */
export async function breakPromises() {
  const silent = [];
  for (const [at, { promise, change, file, code, instead, test, name }] of promises.entries()) {
    if ((await readFile(join(ROOT, file), "utf8")).split(code).length !== 2)
      throw new Error(`${file} does not have once: ${code}`);
    const noticed = await isNoticed(file, (text) => text.replace(code, () => instead), [test], name);
    if (!noticed) silent.push(change);
    console.log(
      `[${at + 1} of ${promises.length}] ${noticed ? "noticed" : "NOT NOTICED"}: ${change} (${promise})`,
    );
  }
  if (silent.length > 0) throw new Error(`No test fails where ${silent.join("; ")}`);
  return promises.map(({ promise, change, file, test, name }) => ({ promise, change, file, test, name }));
}
