import { relative } from "node:path";
import { ROOT } from "../root.mjs";
import { isNoticed } from "./broken.mjs";

/**
 * @typedef {Awaited<ReturnType<typeof import("./stryker.mjs").mutants>>[number]} Mutant
 * @typedef {Pick<Mutant, "fileName" | "location" | "mutatorName" | "replacement" | "status">} Tried
 */

/**
 * Retries the surviving mutants in code that runs when a module is loaded, because Stryker counts a test file that
 * cannot be loaded as one without a failed test.
 *
 * @param {readonly Mutant[]} mutants
 * @param {readonly string[]} tests
 * @returns {Promise<readonly Tried[]>} the same, with the status of these put right
 */
export async function triedAtLoading(mutants, tests) {
  const tried = [];
  for (const mutant of mutants) {
    const { fileName, location, replacement, status } = mutant;
    const doubtful = mutant.static === true && status === "Survived" && replacement !== undefined;
    const change = (/** @type {string} */ code) => replaced(code, location, replacement ?? "");
    const noticed = doubtful && (await isNoticed(relative(ROOT, fileName), change, tests));
    tried.push(noticed ? { ...mutant, status: /** @type {Mutant["status"]} */ ("Killed") } : mutant);
  }
  return tried;
}

/**
 * Code with a replaced range; lines and columns count from 1.
 *
 * @param {string} code
 * @param {{ start: { line: number, column: number }, end: { line: number, column: number } }} location
 * @param {string} instead
 */
export function replaced(code, { start, end }, instead) {
  const lines = code.split("\n");
  const at = (/** @type {{ line: number, column: number }} */ { line, column }) =>
    lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, column - 1);
  return code.slice(0, at(start)) + instead + code.slice(at(end));
}
