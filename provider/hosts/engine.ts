/** What a host knows of the engine that started it: its address, and whether it still runs. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

/** The engine's address, such as `127.0.0.1:41235`, which the engine passes to the processes that it starts. */
export function addressOf(args: readonly string[] = process.argv.slice(2)): string | undefined {
  return args.map((arg) => /^[\w.[\]:-]+:\d+$/.exec(arg)?.[0]).findLast((address) => address !== undefined);
}

/**
 * Ends this process when its engine ends. An engine that is killed leaves the processes of its providers running
 * (pulumi/pulumi#8696), and one that goes on creating records makes them without a state. The engine holds the other end of the
 * input open, and the system closes that however the engine ends. A process started by hand, to debug it, has no engine's address.
 */
export function endWithEngine(input: NodeJS.ReadableStream = process.stdin, args?: readonly string[]): void {
  if (addressOf(args) !== undefined) input.on("end", () => process.exit()).resume();
}

/**
 * Returns when a process started, or `undefined` if it does not run, or if the system does not list processes, as on Windows.
 */
function startOf(pid: number): string | undefined {
  try {
    if (existsSync("/proc/self/stat")) {
      // The name may contain anything. In the 20th place after it comes the start time.
      const [rest = ""] = /(?<=\) )[^)]*$/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      return rest.split(" ")[19];
    }
    // Its own error output, caught here, would appear among the engine's.
    const { stdout } = spawnSync("ps", ["-o", "lstart=", "-p", `${pid}`], { encoding: "utf8" });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** The process that started this one, the engine or its shell, with its start time, because process ids recur. */
export function parentId(): string {
  return `${process.ppid} ${startOf(process.ppid) ?? ""}`.trim();
}

/** Whether a process of such an id still runs. */
export function isRunning(id: string): boolean {
  const [pid, start] = id.split(/ (.*)/);
  if (start !== undefined) return startOf(Number(pid)) === start;
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    // The process exists, but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
