import { ProcessTree } from "./processes.mjs";
import { requestsOf } from "./requests.mjs";

/**
 * @typedef {object} Runner a candidate that is ready to run
 * @property {string} name
 * @property {import("../emulator/index.js").EmulatorClient} service its own
 * @property {boolean} [sendsNothing] the service holds none of its records
 * @property {(operation: import("./operations.mjs").Operation, size: number) => import("../tools/child.mjs").Running} start
 * @property {(operation: import("./operations.mjs").Operation, size: number) => boolean} [takesPart] all, where left out
 * @property {(command: string) => boolean} isProvider tells the process that sends the requests, by its command line
 * @property {() => Promise<State | undefined>} state what the engine keeps
 * @property {() => Promise<void>} close
 *
 * @typedef {import("./state.mjs").State} State
 *
 * @typedef {object} Run
 * @property {string} candidate
 * @property {number} size
 * @property {string} operation
 * @property {number} wallMs
 * @property {import("./requests.mjs").Requests} requests
 *
 * @typedef {Run & import("./processes.mjs").Usage} MeasuredRun
 */

/**
 * Runs one operation and measures it. Throws if the service's records are not the expected ones, because then the
 * figures mean nothing.
 *
 * @param {Runner} runner
 * @param {import("./operations.mjs").Operation} operation
 * @param {number} size
 * @returns {Promise<MeasuredRun>}
 */
export async function measure(runner, operation, size) {
  const { service } = runner;
  await service.clearRequests();
  const started = performance.now();
  const running = runner.start(operation, size);
  const tree = new ProcessTree(running.pid, runner.isProvider);
  const { code, signal } = await running.finished;
  const wallMs = performance.now() - started;
  const usage = tree.stop();
  const name = `${operation.name} of ${size} by ${runner.name}`;
  if (code !== 0) throw new Error(`${name} failed (${signal ?? code}):\n${running.output().slice(-4000)}`);
  if (runner.sendsNothing !== true) await assertLeft(name, operation, size, service);
  const { routes } = await service.counters();
  return {
    candidate: runner.name,
    size,
    operation: operation.name,
    wallMs,
    ...usage,
    requests: requestsOf(routes),
  };
}

/** The domains in the bench's programs. */
const DECLARED = /^site-\d+\.example\.com$/;

/**
 * @param {string} name
 * @param {import("./operations.mjs").Operation} operation
 * @param {number} size
 * @param {import("../emulator/index.js").EmulatorClient} service
 */
async function assertLeft(name, { leaves, email }, size, service) {
  const records = (await service.websites()).filter(({ domain }) => DECLARED.test(domain));
  const right = records.filter(
    (each) => each.privacy === 1 && each.email === email && each.exclude_bots === 1,
  );
  const wanted = leaves === "all" ? size : 0;
  if (records.length !== wanted || right.length !== wanted)
    throw new Error(`${name} left ${records.length} records, ${right.length} of them right, not ${wanted}`);
}
