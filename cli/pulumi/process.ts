import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import spawn from "cross-spawn";
import { pulumiEnvironment } from "../config";
import { CommandFailure } from "../failure";

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Environment variables, in addition to this process's. */
  readonly env?: Readonly<Record<string, string>>;
  /** The command is a person's own: it takes every option that the environment has for `pulumi`. */
  readonly keepsOptions?: boolean;
  /**
   * A file for all that the command prints. With it, the command survives this process: a killed terminal does not cut an
   * import in two. A first signal waits for its end.
   */
  readonly outputFile?: string;
  /** Called when a first signal waits. */
  readonly onWait?: () => void;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** What the command gets for the first signal (Ctrl-C: end in order) and the second (end at once). Any further signal kills it. */
const FORWARDED = ["SIGINT", "SIGTERM"] as const;

/** The first signal that came. */
let interrupted: NodeJS.Signals | undefined;
/** Passes a signal on to the command that runs, by how many have come. */
let passOn: ((count: number) => void) | undefined;

/**
 * Runs work that a signal may interrupt: at once, or, while a command runs, when that has ended. Then calls
 * `whenInterrupted`, and ends this process by the same signal: a shell's loop stops only if it sees that.
 */
export async function interruptible<T>(work: () => Promise<T>, whenInterrupted: () => void): Promise<T> {
  let count = 0;
  const receive = (signal: NodeJS.Signals) => {
    count += 1;
    interrupted ??= signal;
    if (passOn === undefined) end(interrupted);
    else passOn(count);
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

const isWindows = process.platform === "win32";

/**
 * Sends a signal to the command and to what it has started. The npm package `pulumi` only starts the engine, and ends at a signal
 * itself: the engine would go on by itself, with the stack's lock.
 */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (isWindows || child.pid === undefined) child.kill(signal);
  else
    try {
      process.kill(-child.pid, signal);
    } catch {
      // All have ended.
    }
}

/**
 * A standard input for a command whose output is a file, and the end of all processes that have it: of an engine, too, whose
 * wrapper has ended before it.
 *
 * @param path of a socket, for a moment
 */
async function watchedInput(path: string) {
  const server = createServer().listen(path);
  const input = connect(path);
  const [other] = await once(server, "connection");
  server.close();
  return { input, ended: once(other.resume(), "close") };
}

/** Runs the user's `pulumi`. If a signal comes, rejects when the command has ended. */
export async function runPulumi(
  args: readonly string[],
  { env, keepsOptions, outputFile, onWait }: RunOptions = {},
): Promise<CommandResult> {
  const watched =
    outputFile === undefined || isWindows ? undefined : await watchedInput(`${outputFile}.input`);
  const file = outputFile === undefined ? undefined : openSync(outputFile, "w", 0o600);
  // In its own process group, the command gets no Ctrl-C from the terminal, only what this process passes on.
  const child = spawn("pulumi", [...args], {
    detached: !isWindows,
    env: pulumiEnvironment(env, { keepsOptions }),
    stdio: [watched?.input ?? "ignore", file ?? "pipe", file ?? "pipe"],
  });
  watched?.input.destroy();
  passOn = (count) => {
    if (count === 1 && file !== undefined) onWait?.();
    else signalGroup(child, FORWARDED[count - 1] ?? "SIGKILL");
  };
  const texts = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]?.setEncoding("utf8").on("data", (text: string) => {
      texts[stream] += text;
    });
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on("error", (error: NodeJS.ErrnoException) => {
        const advice = "Install it from https://www.pulumi.com/docs/install, or add it to PATH";
        const isMissing = error.code === "ENOENT";
        const title = isMissing
          ? 'There is no "pulumi" command on PATH'
          : `pulumi can't start: ${error.message}`;
        reject(new CommandFailure(title, advice));
      });
      // A Ctrl-C just as it is spawned reaches it while it is still in this process's group, and ends it first.
      child.on("close", (status, signal) => {
        interrupted ??= SIGNALS.find((name) => name === signal);
        resolve(status);
      });
    });
    await watched?.ended;
    if (interrupted !== undefined) throw new Error(`interrupted by ${interrupted}`);
    const printed = outputFile === undefined ? texts : { ...texts, stdout: readFileSync(outputFile, "utf8") };
    return { ...printed, code: code ?? 1 };
  } finally {
    passOn = undefined;
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
