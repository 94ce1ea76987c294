import { OPERATIONS, requestsOf } from "./operations.mjs";
import { watchProcesses } from "./processes.mjs";

/** @typedef {Awaited<ReturnType<typeof measure>>} MeasuredRun */

/** What a service that allows 60 requests a minute is asked to do, and one that is 100 ms away. */
const PACED = { requests: 60, seconds: 60 };
const FAR = { match: { times: 0 }, delay: 100 };

/**
 * Whether a candidate has an operation: it can do it, and its time says something.
 *
 * @param {import("./candidates.mjs").Candidate} candidate
 * @param {import("./operations.mjs").Operation} operation
 */
function takesPart({ name, from, only }, { name: operation, write, reads, slow }) {
  if (slow === "paced") return name === "ours";
  if (from === undefined) return write !== undefined || reads === true;
  return only === undefined || only.includes(operation);
}

/**
 * Runs one operation and measures it. Throws if the service's records are not the expected ones, because then the
 * figures mean nothing.
 *
 * @param {import("./candidates.mjs").Runner} runner
 * @param {import("./operations.mjs").Operation} operation
 * @param {number} size
 */
async function measure(runner, operation, size) {
  const { candidate, service } = runner;
  await service.ask("configure", { rateLimit: operation.slow === "paced" ? PACED : false });
  await service.ask("clearFaults");
  if (operation.slow === "far") await service.ask("addFault", FAR);
  await service.ask("clearRequests");
  const started = performance.now();
  const running = runner.start(operation, size);
  const stopWatching = watchProcesses();
  const { code, signal } = await running.finished;
  const wallMs = performance.now() - started;
  const { peakBytes, cpuMs } = stopWatching();
  const what = `${operation.name} of ${size} by ${candidate.name}`;
  if (code !== 0) throw new Error(`${what} failed (${signal ?? code}):\n${running.output().slice(-4000)}`);
  const records = await service.ask("websites");
  const asDeclared = records.filter(
    ({ privacy, email, exclude_bots }) => privacy === 1 && email === operation.email && exclude_bots === 1,
  );
  const expected = operation.write === "DELETE" ? 0 : size;
  if (!candidate.sendsNothing && asDeclared.length !== expected)
    throw new Error(`${what} left ${asDeclared.length} records as declared, not ${expected}`);
  const requests = requestsOf(await service.ask("requests"));
  // What the engine writes twice for each record that is made.
  const stateBytes = operation.write === "POST" ? await runner.stateBytes?.() : undefined;
  return {
    candidate: candidate.name,
    size,
    operation: operation.name,
    wallMs,
    peakBytes,
    cpuMs,
    stateBytes,
    requests,
  };
}

/**
 * Measures the candidates in turns at each operation, so that other load on the machine affects all of them.
 *
 * @param {readonly import("./candidates.mjs").Runner[]} runners
 * @param {{ sizes: readonly number[], rounds: (size: number) => number }} options
 * @param {(run: MeasuredRun) => Promise<void> | void} report
 */
export async function measureAll(runners, { sizes, rounds }, report) {
  for (const size of sizes)
    for (let round = 1; round <= rounds(size); round += 1)
      for (const operation of OPERATIONS)
        for (const runner of runners)
          if (round <= (runner.candidate.rounds ?? round) && takesPart(runner.candidate, operation))
            await report(await measure(runner, operation, size));
}
