import { spread } from "./figures.mjs";

/**
 * @typedef {object} Outcome
 * @property {string} measured
 * @property {boolean | undefined} met undefined where the rounds disagree, or one alone can't tell
 */

/** Fewer rounds show no spread. */
const ENOUGH_ROUNDS = 3;

/**
 * Whether the goal is met in every round, or in none. Where rounds disagree, the machine decided.
 *
 * @param {readonly number[]} rounds a ratio of each
 * @param {(value: number) => boolean} meets
 * @returns {Outcome | undefined}
 */
export function judged(rounds, meets) {
  if (rounds.length === 0) return undefined;
  const { median, least, most } = spread(rounds);
  const measured = `${timesText(median)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
  const agree = rounds.length >= ENOUGH_ROUNDS && meets(least) === meets(most);
  return { measured, met: agree ? meets(median) : undefined };
}

/**
 * @param {number} most
 * @param {number | undefined} value
 * @param {(value: number) => string} text
 * @param {boolean} [also] a further condition
 * @returns {Outcome | undefined}
 */
export function atMost(most, value, text, also = true) {
  if (value === undefined || !Number.isFinite(value)) return undefined;
  return { measured: text(value), met: value <= most && also };
}

/** @param {number} value */
function timesText(value) {
  return `${value.toFixed(2)} ×`;
}
