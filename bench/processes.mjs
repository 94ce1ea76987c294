import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds between two samples. What a process does after the last one is not measured. */
const SAMPLE_MS = 50;
/** Linux counts a process's time in hundredths of a second. */
const TICK_MS = 10;

/** The parts of a run of Pulumi. The program's has the language host's processes too. */
export const PARTS = /** @type {const} */ (["engine", "program", "provider"]);
/** @typedef {typeof PARTS[number]} Part */

/** What the command line of a part's process contains. @type {Record<Part, RegExp>} */
const COMMANDS = {
  engine: /^(\S*\/)?pulumi /,
  program: /pulumi-language-|pulumi\/cmd\/run/,
  provider: /cmd\/dynamic-provider|resource-tracking/,
};

/** @param {string} path of a process's file in `/proc` */
const read = (path) => readFileSync(`/proc/${path}`, "latin1");

/** The parent of a process, and its own processor time. @param {string} pid */
function statOf(pid) {
  // The name before it is in brackets, and may contain spaces.
  const [, parent = "", ...fields] = read(`${pid}/stat`)
    .replace(/^.*\) /s, "")
    .split(" ");
  return { parent, cpuMs: (Number(fields[9]) + Number(fields[10])) * TICK_MS };
}

/** Whether this process has started another one, or one that has. @param {string} pid */
function isOurs(pid) {
  for (let each = pid; Number(each) > 1; each = statOf(each).parent)
    if (each === `${process.pid}`) return true;
  return false;
}

/**
 * Watches the processes of Pulumi that this one has started, by Linux's `/proc`; elsewhere nothing is measured.
 *
 * @returns {() => { peakBytes: number, cpuMs: Record<Part, number> }} stops watching: the most memory that a provider has
 *   held, and the processor time of each part
 */
export function watchProcesses() {
  let peakBytes = 0;
  /** @type {Map<string, { part: Part, cpuMs: number }>} */
  const found = new Map();
  const sample = () => {
    for (const pid of process.platform === "linux" ? readdirSync("/proc").filter(Number) : [])
      try {
        const command = read(`${pid}/cmdline`).replaceAll("\0", " ");
        const part = PARTS.find((each) => COMMANDS[each].test(command));
        if (part === undefined || !isOurs(pid)) continue;
        found.set(pid, { part, cpuMs: statOf(pid).cpuMs });
        const [, kilobytes = 0] = /^VmHWM:\s+(\d+) kB$/m.exec(read(`${pid}/status`)) ?? [];
        if (part === "provider") peakBytes = Math.max(peakBytes, Number(kilobytes) * 1024);
      } catch {
        // The process has ended meanwhile.
      }
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    const total = { engine: 0, program: 0, provider: 0 };
    for (const { part, cpuMs } of found.values()) total[part] += cpuMs;
    return { peakBytes, cpuMs: total };
  };
}
