import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** How many shells may stand between a provider and its engine. */
const MAX_SHELLS = 3;
/** A shell. On Linux, one that runs a script has the script's name, cut: that of `pulumi-resource-pulumi-nodejs`. */
const SHELL = /^(-?(ba|da|a|z|k)?sh|pulumi-resource.*)$/;

/** The engine's address, which the engine passes to the processes that it starts. */
export function addressOf(args: readonly string[] = process.argv.slice(2)): string | undefined {
  return args.map((arg) => /^[\w.[\]:-]+:\d+$/.exec(arg)?.[0]).findLast((address) => address !== undefined);
}

/**
 * Ends this process when its engine ends: it could still write after a kill. The engine holds the other end of the input
 * open; however it ends, the system closes that. A process started by hand, to debug it, has no engine's address.
 */
export function endWithEngine(input: NodeJS.ReadableStream = process.stdin, args?: readonly string[]): void {
  if (addressOf(args) !== undefined) input.on("end", () => process.exit()).resume();
}

/** The engine's process: the first ancestor that is not a shell, with its start time, because process ids recur. */
export function engineId(): string {
  let pid = process.ppid;
  for (let above = 0; above <= MAX_SHELLS; above += 1) {
    const found = processOf(pid);
    if (found === undefined) break;
    if (!SHELL.test(found.name)) return `${pid} ${found.start}`;
    pid = found.parent;
  }
  // The system does not list processes, as on Windows.
  return `${process.ppid}`;
}

/** Whether an engine's process still runs. */
export function isRunning(engine: string): boolean {
  const [pid, start] = engine.split(/ (.*)/);
  if (start !== undefined) return processOf(Number(pid))?.start === start;
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    // The process exists, but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function processOf(pid: number): { name: string; parent: number; start: string } | undefined {
  try {
    if (existsSync("/proc/self/stat")) {
      // The name may contain anything. After it come the state, the parent, and in the 20th place the start time.
      const [, name = "", rest = ""] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      const fields = rest.split(" ");
      return { name, parent: Number(fields[1]), start: fields[19] ?? "" };
    }
    const options = ["-ww", "-o", "ppid=,lstart=,comm=", "-p", `${pid}`];
    // Its own error output would appear among the engine's.
    const output = execFileSync("ps", options, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    const [parent, ...words] = output.trim().split(/\s+/);
    const name = words.slice(5).join(" ").split("/").at(-1) ?? "";
    return { name, parent: Number(parent), start: words.slice(0, 5).join(" ") };
  } catch {
    return undefined;
  }
}
