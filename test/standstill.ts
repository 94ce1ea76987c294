import { Worker } from "node:worker_threads";
import { beforeEach, expect, inject } from "vitest";

/** A count that goes on while this process handles events, and the name of the test that runs. */
interface Pulse {
  readonly beats: Int32Array;
  readonly name: Uint8Array;
}

/**
 * Looks from another thread whether the process still handles events, and ends it if not. In a loop that never waits, such
 * as one of promises that are always settled, no time-out of a test can fire: the run would hang instead of failing.
 */
const WATCH = `
const { workerData: { beats, name, patience } } = require("node:worker_threads");
let last = -1;
setInterval(() => {
  if (last === beats[0]) {
    const test = new TextDecoder().decode(name.slice(0, name.indexOf(0)));
    require("node:fs").writeSync(2, "No event was handled for " + patience / 1000 + " s in the test: " + test + "\\n");
    process.kill(process.pid, "SIGKILL");
  }
  last = beats[0];
}, patience);`;

/** Test files share processes: each process has one, which outlives its modules. */
const PULSE = Symbol.for("pulse of this process");

function watched(): Pulse {
  const pulse = {
    beats: new Int32Array(new SharedArrayBuffer(4)),
    name: new Uint8Array(new SharedArrayBuffer(512)),
  };
  const { patience } = inject("sizes");
  new Worker(WATCH, { eval: true, workerData: { ...pulse, patience } }).unref();
  setInterval(() => Atomics.add(pulse.beats, 0, 1), patience / 100).unref();
  return pulse;
}

const pulse: Pulse = Reflect.get(globalThis, PULSE) ?? watched();
Reflect.set(globalThis, PULSE, pulse);
beforeEach(() => {
  const { currentTestName = "" } = expect.getState();
  pulse.name.fill(0);
  // A view of shared memory can't be encoded into.
  pulse.name.set(Buffer.from(currentTestName).subarray(0, 511));
});
