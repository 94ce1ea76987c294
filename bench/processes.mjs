import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds between two samples. What a process does after the last one is not measured. */
const EVERY = 50;
/** The command line of a process that sends the requests. */
const PROVIDER = /cmd\/dynamic-provider|resource-tracking|bare\.mjs/;

/**
 * Watches a process and all that it starts, by Linux's `/proc`; elsewhere nothing is measured.
 *
 * @param {number | undefined} root
 * @returns {() => number} stops watching: the most memory that the provider has held, in bytes
 */
export function watchMemory(root) {
  const tree = new Set([root]);
  let peak = 0;
  const look = () => {
    for (const pid of process.platform === "linux" ? readdirSync("/proc").map(Number) : []) {
      const status = read(pid, "status");
      // A process stays in the tree if it is orphaned later.
      if (!tree.has(pid) && !tree.has(Number(/^PPid:\s+(\d+)$/m.exec(status)?.[1]))) continue;
      tree.add(pid);
      if (PROVIDER.test(read(pid, "cmdline").replaceAll("\0", " ")))
        peak = Math.max(peak, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0));
    }
  };
  const timer = setInterval(look, EVERY);
  return () => {
    clearInterval(timer);
    return peak * 1024;
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
