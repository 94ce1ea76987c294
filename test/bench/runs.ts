import type { MeasuredRun } from "../../bench/measure.mjs";

/** A measured run with default values; a test passes those that matter. */
export function ran(told: Partial<MeasuredRun> = {}): MeasuredRun {
  return {
    candidate: "ours",
    size: 10,
    operation: "up",
    wallMs: 1000,
    cpuMs: 500,
    peakBytes: 100e6,
    writtenBytes: 1e6,
    ...told,
    requests: sent(told.requests),
  };
}

/** Requests, by default none. */
export function sent(told: Partial<MeasuredRun["requests"]> = {}): MeasuredRun["requests"] {
  return { list: 0, look: 0, POST: 0, PUT: 0, DELETE: 0, ...told };
}
