import { execFileSync } from "node:child_process";

/** A running process, its parent and its command line. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** All descendants of a process. */
export function descendants(pid: number): Process[] {
  const processes = execFileSync("ps", ["-A", "-ww", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, id, parent, command = ""]) => ({ pid: Number(id), parent: Number(parent), command }));
  const below = (parent: number): Process[] =>
    processes.filter((process) => process.parent === parent).flatMap((child) => [child, ...below(child.pid)]);
  return below(pid);
}

/** The processes that serve our resources to an engine, in either form. */
export function providersOf(engine: number): number[] {
  const found = descendants(engine).filter(({ command }) =>
    /dynamic-provider|pulumi-resource-tracking/.test(command),
  );
  if (found.length === 0) throw new Error("the engine has no provider process");
  return found.map(({ pid }) => pid);
}

/** Whether a process has not ended. One that nobody has waited for yet has. */
export function isRunning(pid: number): boolean {
  try {
    const stat = execFileSync("ps", ["-o", "stat=", "-p", `${pid}`], { encoding: "utf8" });
    return !stat.startsWith("Z");
  } catch {
    return false;
  }
}

/** Kills processes that may already have ended. */
export function endAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}
