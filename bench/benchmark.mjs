import { progress } from "../tools/progress.mjs";
import { measure } from "./measure.mjs";
import { OPERATIONS } from "./operations.mjs";
import { inShort } from "./requests.mjs";

/**
 * Measures the candidates in turns at each operation, so that other load on the machine affects all of them.
 *
 * @param {readonly import("./measure.mjs").Runner[]} runners
 * @param {Pick<import("./options.mjs").Options, "sizes" | "rounds">} options
 * @param {(line: string) => void} log
 * @param {(found: { runs: readonly import("./measure.mjs").MeasuredRun[], states: import("./goals.mjs").Report["states"] }) => Promise<void>} [keep]
 *   gets the results so far after each measurement
 */
export async function benchmark(runners, { sizes, rounds }, log, keep = async () => {}) {
  /** @type {import("./measure.mjs").MeasuredRun[]} */
  const runs = [];
  /** @type {{ candidate: string, size: number, state: import("./state.mjs").State }[]} */
  const states = [];
  const all = [...turns(runners, sizes, rounds)];
  const started = performance.now();
  for (const [at, { size, round, operation, runner }] of all.entries()) {
    const run = await measure(runner, operation, size);
    runs.push(run);
    log(`[${progress(at, all.length, performance.now() - started)}] ${line(run, round)}`);
    if (operation.name === "up" && round === 1) {
      const state = await runner.state();
      if (state !== undefined) states.push({ candidate: runner.name, size, state });
    }
    await keep({ runs, states });
  }
  return { runs, states };
}

/**
 * All measurements, in order.
 *
 * @param {readonly import("./measure.mjs").Runner[]} runners
 * @param {readonly number[]} sizes
 * @param {(size: number) => number} rounds
 */
export function* turns(runners, sizes, rounds) {
  for (const size of sizes)
    for (let round = 1; round <= rounds(size); round += 1)
      for (const operation of OPERATIONS)
        for (const runner of runners)
          if (runner.takesPart?.(operation, size) ?? true) yield { size, round, operation, runner };
}

/**
 * @param {import("./measure.mjs").MeasuredRun} run
 * @param {number} round
 */
function line({ candidate, size, operation, wallMs, requests }, round) {
  const took = `${(wallMs / 1000).toFixed(1)} s`;
  return `${size} websites, round ${round}: ${candidate}, ${operation}: ${took}, requests: ${inShort(requests)}`;
}
