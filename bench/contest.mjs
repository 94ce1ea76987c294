import { progress } from "../tools/progress.mjs";
import { measure } from "./measure.mjs";
import { OPERATIONS } from "./operations.mjs";
import { inShort } from "./requests.mjs";

/** From so many records on, naive takes many minutes, and has one round. */
const LARGE = 1000;

/**
 * @param {string} contestant
 * @param {number} size
 * @param {number} rounds
 */
export function roundsOf(contestant, size, rounds) {
  return contestant === "naive" && size >= LARGE ? 1 : rounds;
}

/**
 * Lets the contestants take turns at each operation, so that what else the machine does meanwhile strikes all.
 *
 * @param {readonly import("./measure.mjs").Entrant[]} entrants
 * @param {Pick<import("./options.mjs").Options, "sizes" | "rounds">} options
 * @param {(line: string) => void} say
 * @param {(found: { runs: readonly import("./measure.mjs").MeasuredRun[], states: import("./goals.mjs").Report["states"] }) => Promise<void>} [keep]
 *   gets after each of them what was found so far
 */
export async function contest(entrants, { sizes, rounds }, say, keep = async () => {}) {
  /** @type {import("./measure.mjs").MeasuredRun[]} */
  const runs = [];
  /** @type {{ contestant: string, size: number, state: import("./state.mjs").State }[]} */
  const states = [];
  const all = [...turns(entrants, sizes, rounds)];
  const started = performance.now();
  for (const [at, { size, round, operation, entrant }] of all.entries()) {
    const run = await measure(entrant, operation, size);
    runs.push(run);
    say(`[${progress(at, all.length, performance.now() - started)}] ${line(run, round)}`);
    if (operation.name === "up" && round === 1) {
      const state = await entrant.state();
      if (state !== undefined) states.push({ contestant: entrant.name, size, state });
    }
    await keep({ runs, states });
  }
  return { runs, states };
}

/**
 * Who does what, in order.
 *
 * @param {readonly import("./measure.mjs").Entrant[]} entrants
 * @param {readonly number[]} sizes
 * @param {number} rounds
 */
export function* turns(entrants, sizes, rounds) {
  for (const size of sizes)
    for (let round = 1; round <= rounds; round += 1)
      for (const operation of OPERATIONS)
        for (const entrant of entrants)
          if (round <= roundsOf(entrant.name, size, rounds) && (entrant.takesPart?.(operation) ?? true))
            yield { size, round, operation, entrant };
}

/**
 * @param {import("./measure.mjs").MeasuredRun} run
 * @param {number} round
 */
function line({ contestant, size, operation, wallMs, requests }, round) {
  const took = `${(wallMs / 1000).toFixed(1)} s`;
  return `${size} websites, round ${round}: ${contestant}, ${operation}: ${took}, requests: ${inShort(requests)}`;
}
