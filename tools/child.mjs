import { spawn } from "node:child_process";

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
 * @typedef {object} Running
 * @property {number | undefined} pid
 * @property {() => string} output what it has printed so far, on both streams
 * @property {(signal?: NodeJS.Signals) => void} stop
 * @property {Promise<Finished>} finished rejects only if the command could not be started
 */

/** A command that did not end as expected; the message ends with its last output. */
export class CommandFailed extends Error {
  /**
   * @param {string} what
   * @param {Finished} finished
   */
  constructor(what, finished) {
    const last = [finished.stdout, finished.stderr].join("\n").trim().split("\n").slice(-60).join("\n");
    super(`${what}\n${last}`);
    this.name = "CommandFailed";
    this.finished = finished;
  }
}

/**
 * Starts a command without a shell.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {ChildOptions} [options]
 * @returns {Running}
 */
export function start(command, args, { cwd, env, show, group = false } = {}) {
  const child = spawn(command, args, { cwd, env, detached: group, stdio: ["ignore", "pipe", "pipe"] });
  const said = { stdout: "", stderr: "" };
  let output = "";
  for (const stream of /** @type {const} */ (["stdout", "stderr"]))
    child[stream].setEncoding("utf8").on("data", (text) => {
      said[stream] += text;
      output += text;
      show?.(text);
    });
  const finished = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, ...said }));
  });
  return {
    pid: child.pid,
    output: () => output,
    stop: (signal = "SIGTERM") => {
      if (!group) return void child.kill(signal);
      try {
        process.kill(-Number(child.pid), signal);
      } catch {
        // The whole group has ended already.
      }
    },
    finished,
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
  if (finished.code !== 0) {
    throw new CommandFailed(
      `${[command, ...args].join(" ")}: ${finished.signal ?? `exit code ${finished.code}`}`,
      finished,
    );
  }
  return finished;
}
