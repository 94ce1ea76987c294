/**
 * @typedef {object} Score the results of one file's mutants
 * @property {number} noticed detected by a failing test, or by a test that did not end
 * @property {number} survived all tests that reach them
 * @property {number} unreached by any test
 */

/** @type {Readonly<Partial<Record<string, keyof Score>>>} */
const meaning = { Killed: "noticed", Timeout: "noticed", Survived: "survived", NoCoverage: "unreached" };

/**
 * Counts mutants by file, without those that could not run or that a comment excludes.
 *
 * @param {readonly { fileName: string, status: string }[]} mutants
 * @returns {Record<string, Score>}
 */
export function scores(mutants) {
  /** @type {Record<string, Score>} */
  const byFile = {};
  for (const { fileName, status } of mutants) {
    const kind = meaning[status];
    byFile[fileName] ??= { noticed: 0, survived: 0, unreached: 0 };
    if (kind !== undefined) byFile[fileName][kind] += 1;
  }
  return byFile;
}

/**
 * The percentage of detected mutants, cut and not rounded to one decimal, so that a goal that looks reached is
 * reached; 100 if there are no mutants.
 *
 * @param {readonly Score[]} all
 */
export function percentage(all) {
  const noticed = all.reduce((sum, score) => sum + score.noticed, 0);
  const missed = all.reduce((sum, { survived, unreached }) => sum + survived + unreached, 0);
  return noticed + missed === 0 ? 100 : Math.floor((1000 * noticed) / (noticed + missed)) / 10;
}
