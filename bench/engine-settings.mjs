import { progress } from "../tools/progress.mjs";
import { measure } from "./measure.mjs";
import { operation } from "./operations.mjs";

/**
 * @typedef {object} Setting of the engine
 * @property {string} name
 * @property {readonly string[]} [args]
 * @property {Record<string, string>} [env]
 */

const NO_BACKUPS = { PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true" };
const ZSTD = { PULUMI_DIY_BACKEND_ZSTD: "true" };

/** What the engine itself offers to a large stack on a file or bucket backend. @type {readonly Setting[]} */
export const SETTINGS = [
  { name: "nothing set" },
  { name: "`PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS`", env: NO_BACKUPS },
  { name: "`PULUMI_DIY_BACKEND_GZIP`", env: { PULUMI_DIY_BACKEND_GZIP: "true" } },
  { name: "`PULUMI_DIY_BACKEND_ZSTD`", env: ZSTD },
  { name: "`…_ZSTD` and `…_DISABLE_CHECKPOINT_BACKUPS`", env: { ...ZSTD, ...NO_BACKUPS } },
  { name: "`PULUMI_SKIP_CHECKPOINTS`", env: { PULUMI_SKIP_CHECKPOINTS: "true" } },
  { name: "`--parallel 4`", args: ["--parallel=4"] },
  { name: "`--parallel 64`", args: ["--parallel=64"] },
];

/**
 * Measures `up` of so many new websites with each setting, in turn.
 *
 * @param {import("./measure.mjs").Runner} runner
 * @param {number} size
 * @param {number} rounds
 * @param {(line: string) => void} log
 */
export async function measureSettings(runner, size, rounds, log) {
  const [up, destroy] = [operation("up"), operation("destroy")];
  const runs = [];
  const turns = Array.from({ length: rounds }, () => SETTINGS).flat();
  const started = performance.now();
  for (const [at, { name, args = [], env = {} }] of turns.entries()) {
    const run = await measure(runner, { ...up, name, args: [...up.args, ...args], env }, size);
    runs.push(run);
    log(
      `[${progress(at, turns.length, performance.now() - started)}] ${name}: ${(run.wallMs / 1000).toFixed(1)} s`,
    );
    await measure(runner, { ...destroy, env }, size);
  }
  return runs;
}
