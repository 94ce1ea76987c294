import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { isNoticed } from "./broken.mjs";
import { replaced } from "./loading.mjs";

/** Where Stryker writes the results of a part. @param {string} part */
export const reportOf = (part) => `reports/mutation-${part}.json`;

/**
 * Reruns the mutants that survived the last whole run of a part, against the current tests. The detected ones count as
 * detected, which holds as long as tests are only added. Throws if the code has changed since.
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
