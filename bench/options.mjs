import { parseArgs } from "node:util";

/**
 * @typedef {object} Options
 * @property {readonly number[]} sizes how many websites
 * @property {(size: number) => number} rounds
 * @property {readonly string[]} only the candidates
 * @property {number | undefined} settings for how many websites the engine's own settings are measured
 * @property {boolean} write whether the document is written
 */

const SIZES = [10, 100, 300, 1000];

/** Websites. */
const FULL_SETTINGS = 300;

/** @param {number} size */
const fullRounds = (size) => (size < 300 ? 5 : 3);

export const USAGE = `npm run bench -- [--sizes 10,100] [--rounds 3] [--only ours,native,floor,bare,module,naive] [--settings 300] [--write]

Measures what docs/performance.md says, side by side: every candidate in turn, medians of the rounds with
their spread (5 rounds, 3 from 300 websites on). The document is written by a full run, and by any run with --write. A
full run takes two hours, most of it for 1,000 websites, and half of that for naive: --only leaves candidates out.
--sizes 10 --rounds 1 takes some minutes. --settings measures \`up\` with the engine's own settings as well.`;

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
      settings: { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  const sizes = values.sizes === undefined ? SIZES : values.sizes.split(",").map(positive);
  const asked = values.rounds === undefined ? undefined : positive(values.rounds);
  const only = values.only === undefined ? [...names] : values.only.split(",");
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`There is no candidate ${unknown}, only ${names.join(", ")}.`);
  const isFull = values.sizes === undefined && values.rounds === undefined && only.length === names.length;
  const settings = values.settings === undefined ? undefined : positive(values.settings);
  return {
    settings: isFull ? (settings ?? FULL_SETTINGS) : settings,
    sizes: [...new Set(sizes)].sort((one, other) => one - other),
    rounds: asked === undefined ? fullRounds : () => asked,
    only: names.filter((name) => only.includes(name)),
    write: values.write || isFull,
  };
}

/** @param {string} text */
function positive(text) {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`"${text}" is not a number above 0.`);
  return Number(text);
}
