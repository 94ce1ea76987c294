import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "../config";
import { CommandFailure } from "../failure";

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Environment variables, in addition to this process's. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The file for all that it prints. The command then ends by itself, even if this process is killed, and a first
   * signal waits for that.
   */
  readonly outputFile?: string;
  /** Called if a first signal has to wait. */
  readonly onWait?: () => void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** A command gets the first signal as Ctrl-C and the second as a request to end at once; each other one kills it. */
const FORWARDED = ["SIGINT", "SIGTERM"] as const;

/** The first signal that came. */
let interrupted: NodeJS.Signals | undefined;
/** Called with the number of each signal that comes while a command runs. */
let pass: ((count: number) => void) | undefined;

/**
 * Runs work that a signal ends: at once, or, while a command runs, when that has ended. Then it calls `whenInterrupted`,
 * and ends this process by the signal, so that its parent sees that.
 */
export async function interruptible<T>(work: () => Promise<T>, whenInterrupted: () => void): Promise<T> {
  let count = 0;
  const receive = (signal: NodeJS.Signals) => {
    count += 1;
    interrupted ??= signal;
    if (pass === undefined) end(interrupted);
    else pass(count);
  };
  const ignore = () => {
    for (const signal of SIGNALS) process.off(signal, receive);
  };
  const end = (signal: NodeJS.Signals) => {
    whenInterrupted();
    ignore();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.on(signal, receive);
  try {
    return await work();
  } catch (error) {
    if (interrupted !== undefined) end(interrupted);
    throw error;
  } finally {
    ignore();
  }
}

/** Runs the user's `pulumi`. Rejects if a signal came, but only when the command has ended. */
export async function runPulumi(
  args: readonly string[],
  { env, outputFile, onWait }: RunOptions = {},
): Promise<CommandResult> {
  const file = outputFile === undefined ? undefined : openSync(outputFile, "w", 0o600);
  // In its own process group, the command gets no Ctrl-C from the terminal, only what this process passes on.
  const child = spawn("pulumi", [...args], {
    detached: process.platform !== "win32",
    env: childEnvironment(env),
    stdio: ["ignore", file ?? "pipe", file ?? "pipe"],
  });
  pass = (count) => {
    if (count === 1 && file !== undefined) onWait?.();
    else child.kill(FORWARDED[count - 1] ?? "SIGKILL");
  };
  const texts = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]?.setEncoding("utf8").on("data", (text: string) => {
      texts[stream] += text;
    });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", (error: NodeJS.ErrnoException) => {
        const remedy = "Install it from https://www.pulumi.com/docs/install, or add it to PATH";
        const isMissing = error.code === "ENOENT";
        const problem = isMissing
          ? 'There is no "pulumi" command on PATH'
          : `pulumi can't start: ${error.message}`;
        reject(new CommandFailure(problem, remedy));
      });
      // A Ctrl-C just as it is spawned reaches it while it is still in this process's group, and ends it first.
      child.on("close", (status, signal) => {
        interrupted ??= SIGNALS.find((each) => each === signal);
        resolve(status);
      });
    });
    if (interrupted !== undefined) throw new Error(`interrupted by ${interrupted}`);
    const printed = outputFile === undefined ? texts : { ...texts, stdout: readFileSync(outputFile, "utf8") };
    return { ...printed, code: code ?? 1 };
  } finally {
    pass = undefined;
    if (file !== undefined) closeSync(file);
  }
}

/**
 * Runs the work with a folder that only this user can read. It is removed when the work ends, fails, or is
 * interrupted.
 */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-tracking-"));
  try {
    return await work(folder);
  } finally {
    // Synchronously, so that no signal comes in between.
    rmSync(folder, { recursive: true, force: true });
  }
}
