import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { start } from "../child.mjs";
import { packPackage } from "../pack.mjs";
import { createProject } from "../project.mjs";

const PROGRAM = "index.ts";
const KEY = "demo-key";

/** Everything the demo needs: a fresh project with the packed package, and a service in a process of its own. */
export class Stage {
  key = KEY;
  /** @type {import("../child.mjs").Running | undefined} what is running now */
  #command;
  #interrupted = new AbortController();
  #emulator;

  /**
   * @param {import("../project.mjs").Project} project
   * @param {import("../child.mjs").Running} emulator
   * @param {import("../../emulator/index.js").EmulatorClient} service
   */
  constructor(project, emulator, service) {
    this.project = project;
    this.service = service;
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
    const command = join(project.folder, "node_modules", ".bin", "pulumi-tracking");
    // In its own process group: Ctrl-C is for the demo, which stops the service last.
    const emulator = start(command, ["emulator", "--api-key", KEY], { env: project.env, group: true });
    process.once("exit", () => emulator.stop("SIGKILL"));
    let url;
    for (let tries = 0; tries < 200 && url === undefined; tries += 1) {
      await pause(50);
      url = /http:\/\/127\.0\.0\.1:\d+/.exec(emulator.output())?.[0];
    }
    if (url === undefined) throw new Error(`The emulator did not start:\n${emulator.output()}`);
    /** @type {typeof import("../../emulator/index.js")} */
    const { connectEmulator } = createRequire(join(project.folder, PROGRAM))("pulumi-tracking/emulator");
    log(`Started a local service in a process of its own: ${url}`);
    return new Stage(project, emulator, connectEmulator(url));
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
    this.#emulator.stop();
    await this.#emulator.finished;
    await this.project.remove();
  }
}
