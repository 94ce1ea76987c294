import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { start } from "../child.mjs";
import { packPackage } from "../pack.mjs";
import { createProject } from "../project.mjs";

const PROGRAM = "index.ts";
const KEY = "demo-key";

/** The demo was interrupted. */
export class Interrupted extends Error {
  constructor() {
    super("Interrupted.");
    this.name = "Interrupted";
  }
}

/**
 * Everything the demo needs: a fresh project with the packed package, and a local service in a separate process.
 */
export class Stage {
  /** @type {import("../child.mjs").Running | undefined} what is running now */
  #command;
  #interrupted = false;

  /**
   * @param {import("../project.mjs").Project} project
   * @param {import("../child.mjs").Running} emulator
   * @param {import("../../emulator/control/client.js").EmulatorClient} service looks into the emulator and changes records
   *   as a person does
   */
  constructor(project, emulator, service) {
    this.project = project;
    this.service = service;
    this.key = KEY;
    this.#emulator = emulator;
  }
  #emulator;

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
    try {
      const url = await addressOf(emulator);
      /** @type {typeof import("../../emulator/index.js")} */
      const { connectEmulator } = createRequire(join(project.folder, PROGRAM))("pulumi-tracking/emulator");
      log(`Started a local service in a separate process: ${url}`);
      return new Stage(project, emulator, connectEmulator(url));
    } catch (error) {
      emulator.stop();
      await project.remove();
      throw error;
    }
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
   * @param {string} line of `pulumi`, or of `npx` with one of the project's own
   * @param {{ colours: boolean, show: (text: string) => void }} screen
   */
  async run(line, { colours, show }) {
    if (this.#interrupted) throw new Interrupted();
    const [command = "", name = "", ...more] = line.split(" ");
    const { folder: cwd, env } = this.project;
    const options = { cwd, env, show, group: true };
    const args = [name, ...more, "--non-interactive", `--color=${colours ? "always" : "never"}`];
    if (/^(preview|up|refresh|destroy)$/.test(name)) args.push("--suppress-progress");
    this.#command =
      command === "npx"
        ? start(join(cwd, "node_modules", ".bin", name), more, options)
        : start(command, args, options);
    const finished = await this.#command.finished.finally(() => {
      this.#command = undefined;
    });
    if (this.#interrupted) throw new Interrupted();
    return finished;
  }

  /** Stops the running command gracefully; the second time, at once. */
  interrupt() {
    this.#interrupted = true;
    this.#command?.stop("SIGINT");
  }

  /** Stops the service and removes the project. */
  async clear() {
    this.#emulator.stop();
    await this.#emulator.finished;
    await this.project.remove();
  }
}

/**
 * @param {import("../child.mjs").Running} emulator
 * @returns {Promise<string>}
 */
async function addressOf(emulator) {
  let ended = false;
  void emulator.finished.then(
    () => {
      ended = true;
    },
    () => {
      ended = true;
    },
  );
  for (let tries = 0; tries < 200 && !ended; tries += 1) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(emulator.output())?.[0];
    if (address !== undefined) return address;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The emulator did not start:\n${emulator.output()}`);
}
