import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "../config";
import { currentInterruption, passSignalsTo } from "../interruption";
import { failureFor } from "./failure";
import { type CommandOutput, FileOutput, PipedOutput } from "./output";

/** What a `pulumi` command came to. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command is run. */
export interface RunOptions {
  /** Hears what it prints, as it is printed. */
  readonly onOutput?: (text: string) => void;
  /** Environment variables besides this process's own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the first signal may reach it now; else it waits until the command prints more. */
  readonly canInterrupt?: () => boolean;
  /** A folder for what it prints; the command then ends well even where this process is killed. */
  readonly outputFolder?: string;
  /** Run it although a signal has come, to see where things stand. */
  readonly ignoreInterruption?: boolean;
}

/** A command gets the first signal as Ctrl-C, the second as a request to end at once; the third kills it. */
const FORWARDED = ["SIGINT", "SIGTERM", "SIGKILL"] as const;

/**
 * Runs the user's `pulumi`: the one on PATH, or the newest of those that Pulumi's tools keep. Rejects with
 * `Interrupted` where a signal came, but only when the command has ended.
 */
export async function runPulumi(args: readonly string[], running: RunOptions = {}): Promise<CommandResult> {
  const finished =
    (await spawnCommand("pulumi", args, running)) ?? (await spawnNewestInstalled(args, running));
  if (finished === undefined) throw failureFor("no-pulumi");
  return finished;
}

async function spawnNewestInstalled(
  args: readonly string[],
  running: RunOptions,
): Promise<CommandResult | undefined> {
  const versions = join(homedir(), ".pulumi", "versions");
  if (!existsSync(versions)) return undefined;
  const newest = readdirSync(versions)
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
    .map((version) => join(versions, version, "bin"))
    .find((bin) => existsSync(join(bin, "pulumi")));
  return newest === undefined ? undefined : spawnCommand(join(newest, "pulumi"), args, running);
}

/** Nothing where there is no such command. */
async function spawnCommand(
  command: string,
  args: readonly string[],
  { onOutput, env, canInterrupt = () => true, outputFolder, ignoreInterruption = false }: RunOptions,
): Promise<CommandResult | undefined> {
  const before = currentInterruption();
  if (before !== undefined && !ignoreInterruption) throw before;
  const output = outputFolder === undefined ? new PipedOutput() : new FileOutput(outputFolder);
  // In a process group of its own a terminal's Ctrl-C does not reach it, and so it gets each signal once.
  const child = spawn(command, [...args], {
    detached: process.platform !== "win32",
    env: childEnvironment(env),
    stdio: ["ignore", ...output.stdio],
  });
  const waiting = new PendingSignals(child, output, canInterrupt);
  const stopPassing = passSignalsTo((count) => waiting.add(count));
  output.follow(child, (text) => {
    onOutput?.(text);
    waiting.deliver();
  });
  try {
    const exit = await waitForExit(child);
    output.end();
    const interrupted = currentInterruption(exit?.signal !== null);
    if (interrupted !== undefined && !ignoreInterruption) throw interrupted;
    return exit && { code: exit.code ?? 1, stdout: output.stdout, stderr: output.stderr };
  } finally {
    stopPassing();
  }
}

/** Signals that came for a child process, and were not given to it yet. */
class PendingSignals {
  private due = 0;
  private delivered = 0;

  constructor(
    private readonly child: ChildProcess,
    private readonly output: CommandOutput,
    private readonly mayStop: () => boolean,
  ) {}

  add(count: number): void {
    this.due = Math.min(count, FORWARDED.length);
    this.output.poll();
    this.deliver();
  }

  deliver(): void {
    // Who asks twice wants it to end, even where that may leave the stack locked.
    while (this.delivered < this.due && (this.due > 1 || this.mayStop())) {
      this.delivered += 1;
      this.child.kill(FORWARDED[this.delivered - 1]);
    }
  }
}

/** How it ended; nothing where there is no such command. */
function waitForExit(
  child: ChildProcess,
): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null } | undefined> {
  return new Promise((resolve, reject) => {
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") resolve(undefined);
      else reject(error);
    });
    child.on("close", (code, signal) => resolve({ code, signal }));
  });
}
