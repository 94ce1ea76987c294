import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "../config";
import { currentInterruption, passSignalsTo } from "../interruption";
import { failureFor } from "./failure";

/** The result of a `pulumi` command. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command is run. */
export interface RunOptions {
  /** Environment variables, in addition to this process's. */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * The file for all that it prints. The command then ends by itself, even if this process is killed, and a first
   * signal waits for that.
   */
  readonly outputFile?: string;
  /** Called now and then with all that is in that file. */
  readonly onOutput?: (text: string) => void;
  /** Called if a first signal has to wait. */
  readonly onWait?: () => void;
}

/** A command gets the first signal as Ctrl-C and the second as a request to end at once; the third kills it. */
const FORWARDED = ["SIGINT", "SIGTERM", "SIGKILL"] as const;
const POLL_MS = 100;

/**
 * Runs the user's `pulumi`: the one on PATH, or the newest under `~/.pulumi/versions`. Rejects with `Interrupted` if
 * a signal came, but only when the command has ended.
 */
export async function runPulumi(args: readonly string[], running: RunOptions = {}): Promise<CommandResult> {
  for (const command of ["pulumi", ...newestInstalled()]) {
    const finished = await spawnCommand(command, args, running);
    if (finished !== undefined) return finished;
  }
  throw failureFor("no-pulumi");
}

function newestInstalled(): string[] {
  const versions = join(homedir(), ".pulumi", "versions");
  if (!existsSync(versions)) return [];
  return readdirSync(versions)
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }))
    .map((version) => join(versions, version, "bin", "pulumi"))
    .filter((command) => existsSync(command))
    .slice(0, 1);
}

/** Runs a command; `undefined` if it does not exist. */
async function spawnCommand(
  command: string,
  args: readonly string[],
  { env, outputFile, onOutput, onWait }: RunOptions,
): Promise<CommandResult | undefined> {
  const before = currentInterruption();
  if (before !== undefined) throw before;
  const file = outputFile === undefined ? undefined : openSync(outputFile, "w", 0o600);
  // In its own process group, the command gets no Ctrl-C from the terminal, only what this process passes on.
  const child = spawn(command, [...args], {
    detached: process.platform !== "win32",
    env: childEnvironment(env),
    stdio: ["ignore", file ?? "pipe", file ?? "pipe"],
  });
  let isForced = false;
  const stopPassing = passSignalsTo((count) => {
    if (count === 1 && file !== undefined) return onWait?.();
    isForced = count > 1;
    child.kill(FORWARDED[Math.min(count, FORWARDED.length) - 1]);
  });
  const printed = () => (outputFile === undefined ? "" : readFileSync(outputFile, "utf8"));
  const polling = file === undefined ? undefined : setInterval(() => onOutput?.(printed()), POLL_MS);
  const texts = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]?.setEncoding("utf8").on("data", (text: string) => {
      texts[stream] += text;
    });
  try {
    const exit = await waitForExit(child);
    const interrupted = currentInterruption(isForced || exit?.signal !== null);
    if (interrupted !== undefined) throw interrupted;
    return exit && { ...texts, ...(file !== undefined && { stdout: printed() }), code: exit.code ?? 1 };
  } finally {
    stopPassing();
    clearInterval(polling);
    if (file !== undefined) closeSync(file);
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
