import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { start } from "../child.mjs";
import { packPackage } from "../pack.mjs";
import { createProject } from "../project.mjs";

const PROGRAM = "index.ts";
const KEY = "demo-key";

/** Everything the demo needs: a fresh project with the packed package, and a service. */
export class Stage {
  key = KEY;
  /** @type {import("../child.mjs").Running | undefined} what is running now */
  #command;
  #interrupted = new AbortController();
  #emulator;

  /**
   * @param {import("../project.mjs").Project} project
   * @param {import("../../emulator/index.js").Emulator} emulator
   */
  constructor(project, emulator) {
    this.project = project;
    this.service = emulator.control;
    this.#emulator = emulator;
  }

  /**
   * Makes the package, the project and the service.
   *
   * @param {import("../engine/setup.mjs").ReadyEngine} engine
   * @param {(line: string) => void} log
   */
  static async set(engine, log) {
    log("Building and packing the package …");
    const tarball = await packPackage();
    log("Installing it in a fresh copy of examples/quickstart …");
    const project = await createProject({ from: "examples/quickstart", tarball, engine });
    /** @type {typeof import("../../emulator/index.js")} */
    const { startEmulator } = createRequire(join(project.folder, PROGRAM))("pulumi-tracking/emulator");
    const emulator = await startEmulator({ apiKey: KEY });
    log(`Started a local service: ${emulator.url}`);
    return new Stage(project, emulator);
  }

  /** The text of the program. */
  program() {
    return readFile(join(this.project.folder, PROGRAM), "utf8");
  }

  /** @param {string} text */
  edit(text) {
    return this.project.write(PROGRAM, text);
  }

  /**
   * Runs a command as a person types it, whether or not it succeeds.
   *
   * @param {string} line
   * @param {{ colours: boolean, show: (text: string) => void }} screen
   */
  async run(line, { colours, show }) {
    const { signal } = this.#interrupted;
    signal.throwIfAborted();
    const [command = "", name = "", ...more] = line.split(" ");
    const { folder: cwd, env } = this.project;
    const options = { cwd, env, show, group: true };
    const args = [name, ...more, "--non-interactive", `--color=${colours ? "always" : "never"}`];
    if (/^(preview|up|refresh|destroy)$/.test(name)) args.push("--suppress-progress");
    const isOurs = command === "npx";
    const bin = isOurs ? join(cwd, "node_modules", ".bin", name) : command;
    this.#command = start(bin, isOurs ? more : args, options);
    const finished = await this.#command.finished;
    signal.throwIfAborted();
    return finished;
  }

  /** Stops the running command gracefully; the second time, at once. */
  interrupt() {
    this.#interrupted.abort(new Error("Interrupted."));
    this.#command?.stop("SIGINT");
  }

  /** Stops the service and removes the project. */
  async clear() {
    await this.#emulator.close();
    await this.project.remove();
  }
}
