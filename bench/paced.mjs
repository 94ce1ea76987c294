import { setTimeout as pause } from "node:timers/promises";
import { operation } from "./operations.mjs";
import { ProcessTree } from "./processes.mjs";
import { requestsOf, total } from "./requests.mjs";

/** The rate limit of real servers. */
const RATE_LIMIT = { requests: 60, seconds: 60 };

/** Milliseconds after which the goal is clearly missed: one request per record takes 17 minutes. */
const ENOUGH = 60_000;

/**
 * Refreshes existing records against a service with a rate limit. It leaves the records, so it must be the last to
 * use the stack.
 *
 * @param {import("./measure.mjs").Runner} runner
 * @param {number} size
 */
export async function refreshPaced(runner, size) {
  const { service } = runner;
  await finish(runner.start(operation("up"), size));
  await service.configure({ rateLimit: RATE_LIMIT });
  await service.clearRequests();
  const started = performance.now();
  const running = runner.start(operation("refresh"), size);
  const tree = new ProcessTree(running.pid, runner.isProvider);
  const enough = new AbortController();
  const finished = await Promise.race([
    finish(running).then(() => true),
    pause(ENOUGH, false, { signal: enough.signal }),
  ]);
  const ms = performance.now() - started;
  enough.abort();
  tree.stop();
  if (!finished) {
    tree.kill();
    await running.finished;
  }
  const { routes } = await service.counters();
  await service.configure({ rateLimit: false });
  return { size, ms, finished, requests: total(requestsOf(routes)) };
}

/** @param {import("../tools/child.mjs").Running} running */
async function finish(running) {
  const { code } = await running.finished;
  if (code !== 0) throw new Error(`It failed (${code}):\n${running.output().slice(-4000)}`);
}
