import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { Ownership } from "../lifecycle/ownership";
import { ownJournal, runJournal } from "./journal";

/** The engine's process is at most so many above that of a provider: a shell may be between them. */
const ABOVE = 3;

/**
 * What the processes of one run know of whose record is whose. The engine gives its address to all of them.
 *
 * @param address nothing where there is no engine
 * @param warn says that the others can't be asked
 */
export function ownershipOf(address: string | undefined, warn: (text: string) => void): Ownership {
  if (address === undefined) return new Ownership(ownJournal());
  try {
    return new Ownership(runJournal(address));
  } catch (error) {
    warn(
      `what the resources of different providers do to one record can't be seen here: ${error instanceof Error ? error.message : error}`,
    );
    return new Ownership(ownJournal());
  }
}

/** The engine's address, as its process for dynamic resources is given it. */
export function addressOf(args: readonly string[] = process.argv.slice(2)): string | undefined {
  return args.map((arg) => /^[\w.[\]:-]+:\d+$/.exec(arg)?.[0]).findLast((address) => address !== undefined);
}

/**
 * Whether the engine destroys. It runs the program then, if asked to, and tells nobody that it is for settings
 * alone; only its command line says so. Where that can't be read, it may.
 */
export function isDestroy(): boolean {
  let pid = process.ppid;
  for (let above = 0; above < ABOVE && pid > 1; above += 1) {
    const found = processOf(pid);
    if (found === undefined) return true;
    if (found.args.some((arg) => /(^|[\\/])pulumi(\.exe)?$/.test(arg)))
      return found.args.some((arg) => ["destroy", "down", "dn"].includes(arg));
    pid = found.parent;
  }
  return true;
}

function processOf(pid: number): { args: string[]; parent: number } | undefined {
  try {
    if (existsSync(`/proc/${pid}/cmdline`)) {
      const args = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
      // After the command's name, which may hold anything: the state, then the parent.
      return { args, parent: Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) };
    }
    const [parent, ...args] = execFileSync("ps", ["-ww", "-o", "ppid=,args=", "-p", String(pid)], {
      encoding: "utf8",
    })
      .trim()
      .split(/\s+/);
    return { args, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
