import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "../config";
import { currentInterruption, passSignalsTo } from "../interruption";
import { failureFor } from "./failure";
import { type CommandOutput, FileOutput, PipedOutput } from "./output";

/** The result of a `pulumi` command. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command is run. */
export interface RunOptions {
  /** Called with standard output, as it is printed. */
  readonly onOutput?: (text: string) => void;
  /** Environment variables, in addition to this process's. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether the first signal may be passed on now; else it waits until the command prints more. */
  readonly canInterrupt?: () => boolean;
  /** A folder for its output; the command then finishes even if this process is killed. */
  readonly outputFolder?: string;
  /** Run it although a signal has come, to report the result so far. */
  readonly ignoreInterruption?: boolean;
}

/** A command gets the first signal as Ctrl-C and the second as a request to end at once; the third kills it. */
const FORWARDED = ["SIGINT", "SIGTERM", "SIGKILL"] as const;

/**
 * Runs the user's `pulumi`: the one on PATH, or the newest under `~/.pulumi/versions`. Rejects with `Interrupted` if
 * a signal came, but only when the command has ended.
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

/** Runs a command; `undefined` if it does not exist. */
async function spawnCommand(
  command: string,
  args: readonly string[],
  { onOutput, env, canInterrupt = () => true, outputFolder, ignoreInterruption = false }: RunOptions,
): Promise<CommandResult | undefined> {
  const before = currentInterruption();
  if (before !== undefined && !ignoreInterruption) throw before;
  const output = outputFolder === undefined ? new PipedOutput() : new FileOutput(outputFolder);
  // Ctrl-C in a terminal does not reach another process group, so the command gets each signal once.
  const child = spawn(command, [...args], {
    detached: process.platform !== "win32",
    env: childEnvironment(env),
    stdio: ["ignore", ...output.stdio],
  });
  const signals = new PendingSignals(child, output, canInterrupt);
  const stopPassing = passSignalsTo((count) => signals.add(count));
  output.follow(child, (text) => {
    onOutput?.(text);
    signals.deliver();
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

/** Signals for a child process that were not passed on yet. */
class PendingSignals {
  private received = 0;
  private delivered = 0;

  constructor(
    private readonly child: ChildProcess,
    private readonly output: CommandOutput,
    private readonly canInterrupt: () => boolean,
  ) {}

  add(count: number): void {
    this.received = Math.min(count, FORWARDED.length);
    this.output.poll();
    this.deliver();
  }

  deliver(): void {
    // Who asks twice wants it to end, even if that leaves the stack locked.
    while (this.delivered < this.received && (this.received > 1 || this.canInterrupt())) {
      this.delivered += 1;
      this.child.kill(FORWARDED[this.delivered - 1]);
    }
  }
}

/** How it ended; `undefined` if the command does not exist. */
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
