import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds between two samples. What a process does after the last one is not measured. */
const EVERY = 50;
/** The kernel counts the time of a process in hundredths of a second, whatever its own tick is. */
const TICK_MS = 10;
/** The command line of a process that sends the requests. */
const PROVIDER = /cmd\/dynamic-provider|resource-tracking|bare\.mjs/;

/**
 * Watches a process and all that it starts, by Linux's `/proc`; elsewhere nothing is measured.
 *
 * @param {number | undefined} root
 * @returns {() => { cpuMs: number, peakBytes: number }} stops watching: the user and system time of all the processes,
 *   and the most memory that the provider has held
 */
export function watch(root) {
  /** @type {Map<number, number>} processor time by process, as seen last */
  const cpu = new Map(root === undefined ? [] : [[root, 0]]);
  let peak = 0;
  const look = () => {
    for (const pid of process.platform === "linux"
      ? readdirSync("/proc").map(Number).filter(Number.isInteger)
      : []) {
      const stat = read(pid, "stat");
      // The name before these fields may hold anything, `)` too.
      const [, parent, ...fields] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      // A process stays in the tree if it is orphaned later.
      if (stat === "" || !(cpu.has(pid) || cpu.has(Number(parent)))) continue;
      cpu.set(pid, (Number(fields[9]) + Number(fields[10])) * TICK_MS);
      if (PROVIDER.test(read(pid, "cmdline").replaceAll("\0", " ")))
        peak = Math.max(peak, Number(/^VmHWM:\s+(\d+) kB$/m.exec(read(pid, "status"))?.[1] ?? 0));
    }
  };
  const timer = setInterval(look, EVERY);
  return () => {
    clearInterval(timer);
    return { cpuMs: [...cpu.values()].reduce((sum, each) => sum + each, 0), peakBytes: peak * 1024 };
  };
}

/** @param {number} pid @param {string} file */
function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    // The process has ended meanwhile.
    return "";
  }
}
