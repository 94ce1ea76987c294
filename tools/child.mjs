import { execa } from "execa";

/**
 * @typedef {object} ChildOptions
 * @property {string | undefined} [cwd] the folder it runs in
 * @property {NodeJS.ProcessEnv | undefined} [env] its whole environment
 * @property {((text: string) => void) | undefined} [show] gets what it prints, as it is printed
 * @property {boolean} [group] whether it leads its own process group, so that `stop` ends its children too
 *
 * @typedef {object} Finished
 * @property {number | null} code the exit code; null if a signal ended it
 * @property {NodeJS.Signals | null} signal
 * @property {string} stdout
 * @property {string} stderr
 *
 * @typedef {ReturnType<typeof start>} Running
 */

/** A command that did not end as expected; the message ends with its last output. */
export class CommandFailed extends Error {
  /**
   * @param {string} what
   * @param {Finished} finished
   */
  constructor(what, { stdout, stderr }) {
    const last = [stdout, stderr].join("\n").trim().split("\n").slice(-60).join("\n");
    super(`${what}\n${last}`);
    this.name = "CommandFailed";
  }
}

/**
 * Starts a command without a shell.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {ChildOptions} [options]
 */
export function start(command, args, { cwd = process.cwd(), env = process.env, show, group = false } = {}) {
  const streams = /** @type {const} */ ({ stdin: "ignore", all: true, stripFinalNewline: false });
  // Whoever stops it names the signal; execa would send another one, SIGKILL, a while after it.
  const ending = /** @type {const} */ ({ detached: group, forceKillAfterDelay: false, reject: false });
  const child = execa(command, args, { cwd, env, extendEnv: false, ...streams, ...ending });
  let output = "";
  child.all.setEncoding("utf8").on("data", (text) => {
    output += text;
    show?.(text);
  });
  return {
    pid: child.pid,
    /** What it has printed so far, on both streams. */
    output: () => output,
    /** @param {NodeJS.Signals} [signal] */
    stop: (signal = "SIGTERM") => {
      if (!group) return void child.kill(signal);
      try {
        process.kill(-Number(child.pid), signal);
      } catch {
        // The whole group has ended already.
      }
    },
    /** @type {Promise<Finished>} rejects only if the command could not be started */
    finished: child.then(({ exitCode: code = null, signal = null, stdout, stderr, cause }) => {
      if (code === null && signal === null) throw cause;
      return { code, signal, stdout, stderr };
    }),
  };
}

/**
 * Runs a command to its end and throws a `CommandFailed` unless it exits with 0.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {ChildOptions} [options]
 */
export async function run(command, args, options) {
  const finished = await start(command, args, options).finished;
  const { code, signal } = finished;
  if (code === 0) return finished;
  throw new CommandFailed(`${[command, ...args].join(" ")}: ${signal ?? `exit code ${code}`}`, finished);
}
