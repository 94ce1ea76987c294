import { parseArgs } from "node:util";

/**
 * @typedef {object} Options
 * @property {readonly number[]} sizes how many websites
 * @property {number} rounds
 * @property {readonly string[]} only the candidates
 * @property {boolean} write whether the document is written
 */

const FULL = { sizes: [10, 100, 1000], rounds: 3 };

export const USAGE = `npm run bench -- [--sizes 10,100,1000] [--rounds 3] [--only ours,naive,floor,bare] [--write]

Measures what docs/performance.md says, side by side: every candidate in turn, medians of the rounds. The document
is written by a full run, and by any run with --write. A full run takes some hours: at 1,000 websites naive has one
round, of many minutes; --only ours,floor,bare leaves it out. --sizes 10 --rounds 1 takes some minutes.`;

/**
 * Reads the command line.
 *
 * @param {readonly string[]} args
 * @param {readonly string[]} names of all candidates
 * @returns {Options}
 * @throws {Error} that says what is wrong with them
 */
export function readOptions(args, names) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: "string" },
      rounds: { type: "string" },
      only: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  const sizes = values.sizes === undefined ? FULL.sizes : values.sizes.split(",").map(positive);
  const rounds = values.rounds === undefined ? FULL.rounds : positive(values.rounds);
  const only = values.only === undefined ? [...names] : values.only.split(",");
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`There is no candidate ${unknown}, only ${names.join(", ")}.`);
  const isFull = values.sizes === undefined && values.rounds === undefined && only.length === names.length;
  return {
    sizes: [...new Set(sizes)].sort((one, other) => one - other),
    rounds,
    only: names.filter((name) => only.includes(name)),
    write: values.write || isFull,
  };
}

/** @param {string} text */
function positive(text) {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`"${text}" is not a number above 0.`);
  return Number(text);
}
