/**
 * @typedef {import("./measure.mjs").MeasuredRun} MeasuredRun
 *
 * @typedef {object} Figure the rounds of one operation of one candidate, as medians; requests are the most of them
 * @property {number} rounds
 * @property {number} wallMs
 * @property {Spread} wall
 * @property {number | undefined} cpuMs
 * @property {number | undefined} peakBytes
 * @property {number | undefined} writtenBytes
 * @property {import("./requests.mjs").Requests} requests
 */

/**
 * The median; for an even number of values, the mean of the middle two.
 *
 * @param {readonly (number | undefined)[]} values
 */
export function median(values) {
  const known = values.filter((value) => value !== undefined).sort((one, other) => one - other);
  const [low, high] = [known[Math.floor((known.length - 1) / 2)], known[Math.floor(known.length / 2)]];
  return low === undefined || high === undefined ? undefined : (low + high) / 2;
}

/**
 * @typedef {object} Spread the values of several rounds
 * @property {number} median
 * @property {number} least
 * @property {number} most
 */

/**
 * @param {readonly number[]} values at least one
 * @returns {Spread}
 */
export function spread(values) {
  return { median: median(values) ?? Number.NaN, least: Math.min(...values), most: Math.max(...values) };
}

/**
 * The ratio; undefined if either value is.
 *
 * @param {number | undefined} one
 * @param {number | undefined} other
 */
export function ratio(one, other) {
  return one === undefined || other === undefined || other === 0 ? undefined : one / other;
}

/** All runs, by candidate, size and operation. */
export class Figures {
  /** @param {readonly MeasuredRun[]} runs */
  constructor(runs) {
    this.runs = runs;
  }

  /** @returns {number[]} */
  get sizes() {
    return [...new Set(this.runs.map(({ size }) => size))].sort((one, other) => one - other);
  }

  /** @returns {string[]} */
  get candidates() {
    return [...new Set(this.runs.map(({ candidate }) => candidate))];
  }

  /**
   * Its rounds, in order.
   *
   * @param {string} candidate
   * @param {number} size
   * @param {string} operation
   */
  rounds(candidate, size, operation) {
    return this.runs.filter(
      (run) => run.candidate === candidate && run.size === size && run.operation === operation,
    );
  }

  /**
   * How many rounds there are of everything that was measured, such as `3`; or `2 to 3`, where the run was stopped.
   *
   * @param {number} size
   */
  roundsAt(size) {
    const runs = this.runs.filter((run) => run.size === size);
    const each = runs.map(({ candidate, operation }) => this.rounds(candidate, size, operation).length);
    const [least, most] = [Math.min(...each), Math.max(...each)];
    return least === most ? `${most}` : `${least} to ${most}`;
  }

  /**
   * What two candidates come to in each round that both took part in.
   *
   * @param {readonly [string, string]} candidates
   * @param {number} size
   * @param {string} operation
   * @param {(one: MeasuredRun, other: MeasuredRun) => number | undefined} compare
   * @returns {number[]}
   */
  byRound([one, other], size, operation, compare) {
    const others = this.rounds(other, size, operation);
    return this.rounds(one, size, operation)
      .flatMap((run, round) => (others[round] === undefined ? [] : [compare(run, others[round])]))
      .filter((value) => value !== undefined);
  }

  /**
   * @param {string} candidate
   * @param {number} size
   * @param {string} operation
   * @returns {Figure | undefined}
   */
  at(candidate, size, operation) {
    const runs = this.rounds(candidate, size, operation);
    const [first] = runs;
    if (first === undefined) return undefined;
    return {
      rounds: runs.length,
      wallMs: median(runs.map((run) => run.wallMs)) ?? 0,
      wall: spread(runs.map((run) => run.wallMs)),
      cpuMs: median(runs.map((run) => run.cpuMs)),
      peakBytes: median(runs.map((run) => run.peakBytes)),
      writtenBytes: median(runs.map((run) => run.writtenBytes)),
      requests: runs.map(({ requests }) => requests).reduce(most, first.requests),
    };
  }
}

/**
 * @param {import("./requests.mjs").Requests} one
 * @param {import("./requests.mjs").Requests} other
 */
function most(one, other) {
  const larger = /** @param {keyof typeof one} name */ (name) => Math.max(one[name], other[name]);
  return {
    list: larger("list"),
    look: larger("look"),
    POST: larger("POST"),
    PUT: larger("PUT"),
    DELETE: larger("DELETE"),
  };
}
