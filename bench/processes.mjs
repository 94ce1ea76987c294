import { readdirSync, readFileSync } from "node:fs";

/** Milliseconds between two samples. What a process does after the last one is not measured. */
const SAMPLE_MS = 50;
/** The command line of a provider. */
const PROVIDER = /cmd\/dynamic-provider|resource-tracking/;

/**
 * Watches the providers on this machine, by Linux's `/proc`; elsewhere nothing is measured.
 *
 * @returns {() => number} stops watching: the most memory that one of them has held, in bytes
 */
export function watchMemory() {
  let peak = 0;
  const sample = () => {
    for (const pid of process.platform === "linux" ? readdirSync("/proc").filter(Number) : [])
      try {
        if (!PROVIDER.test(readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " "))) continue;
        const [, kilobytes] =
          /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1")) ?? [];
        peak = Math.max(peak, Number(kilobytes ?? 0) * 1024);
      } catch {
        // The process has ended meanwhile.
      }
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return peak;
  };
}
