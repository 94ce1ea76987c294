import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parsePeak, parseStat, parseWritten } from "./proc.mjs";

/** Milliseconds between two samples. What a process does after the last one is not measured. */
const EVERY = 50;

/**
 * @typedef {object} Usage undefined where this machine cannot measure it
 * @property {number | undefined} cpuMs user and system time of the process and of all that it started
 * @property {number | undefined} peakBytes the most memory that the process of the provider has held
 * @property {number | undefined} writtenBytes what the first process has written to files
 */

/** A process and all that it starts, watched until `stop`. */
export class ProcessTree {
  /** @type {Map<number, number>} processor time by process, as seen last */
  #cpu = new Map();
  /** @type {Set<number>} the processes that are none of ours */
  #others = new Set();
  /** @type {number | undefined} */
  #peak;
  /** @type {number | undefined} */
  #written;
  #timer;

  /**
   * @param {number | undefined} root
   * @param {(command: string) => boolean} isProvider
   */
  constructor(root, isProvider) {
    this.root = root;
    this.isProvider = isProvider;
    if (root === undefined || !existsSync("/proc/self/stat")) return;
    this.#others.add(process.pid);
    this.#cpu.set(root, 0);
    this.#timer = setInterval(() => this.#look(), EVERY);
    this.#look();
  }

  /**
   * The usage so far.
   *
   * @returns {Usage}
   */
  usage() {
    const times = [...this.#cpu.values()];
    const cpuMs = this.#timer === undefined ? undefined : times.reduce((sum, each) => sum + each, 0);
    return { cpuMs, peakBytes: this.#peak, writtenBytes: this.#written };
  }

  /** Stops sampling. */
  stop() {
    clearInterval(this.#timer);
    return this.usage();
  }

  /** Kills what is left of the tree: the engine's plugins outlive a killed engine. */
  kill() {
    for (const pid of this.#cpu.keys()) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // It has ended.
      }
    }
  }

  #look() {
    this.#findNew();
    for (const pid of this.#cpu.keys()) {
      const stat = text(pid, "stat");
      if (stat === undefined) continue;
      this.#cpu.set(pid, parseStat(stat).cpuMs);
      if (pid === this.root) this.#written = parseWritten(text(pid, "io") ?? "") ?? this.#written;
      if (!this.isProvider((text(pid, "cmdline") ?? "").replaceAll("\0", " "))) continue;
      this.#peak = Math.max(this.#peak ?? 0, parsePeak(text(pid, "status") ?? "") ?? 0);
    }
  }

  /** A process belongs to the tree if its parent does, even if it is orphaned later. */
  #findNew() {
    const fresh = readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .filter((pid) => !this.#cpu.has(pid) && !this.#others.has(pid));
    const parents = new Map(fresh.map((pid) => [pid, parseStat(text(pid, "stat") ?? "").parent]));
    for (let found = -1; found !== 0; ) {
      const ours = [...parents].filter(([, parent]) => this.#cpu.has(parent));
      for (const [pid] of ours) {
        this.#cpu.set(pid, 0);
        parents.delete(pid);
      }
      found = ours.length;
    }
    for (const pid of parents.keys()) this.#others.add(pid);
  }
}

/**
 * @param {number} pid
 * @param {string} file
 */
function text(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    // The process has ended meanwhile.
    return undefined;
  }
}
