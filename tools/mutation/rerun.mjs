import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { isNoticed } from "./broken.mjs";
import { replaced } from "./loading.mjs";

/** Where Stryker writes the results of a part. @param {string} part */
export const reportOf = (part) => `reports/mutation-${part}.json`;

/**
 * Tries again, against the tests of now, what the last whole run of a part has shown to survive; what it has shown
 * to be noticed is taken from there, which holds as long as tests are only added. An error where the code is another.
 *
 * @param {string} part
 * @param {readonly string[]} tests
 * @returns {Promise<readonly import("./loading.mjs").Tried[]>}
 */
export async function rerunSurvivors(part, tests) {
  const report = await readFile(join(ROOT, reportOf(part)), "utf8").catch(() => undefined);
  if (report === undefined) throw new Error(`${part} has not been run; run it without --again`);
  const tried = [];
  for (const [file, { source, mutants }] of Object.entries(JSON.parse(report).files)) {
    if ((await readFile(join(ROOT, file), "utf8")) !== source)
      throw new Error(`${file} has changed since ${part} was run; run it without --again`);
    for (const mutant of mutants) {
      const { location, replacement, status } = mutant;
      const change = (/** @type {string} */ code) => replaced(code, location, replacement);
      const noticed = ["Survived", "NoCoverage"].includes(status) && (await isNoticed(file, change, tests));
      tried.push({ ...mutant, fileName: join(ROOT, file), status: noticed ? "Killed" : status });
    }
  }
  return tried;
}
