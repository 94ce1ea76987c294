import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { start } from "../child.mjs";
import { packPackage } from "../pack.mjs";
import { createProject } from "../project.mjs";
import { loadSource } from "../source.mjs";

const PROGRAM = "index.ts";
const KEY = "demo-key";

/** @typedef {Awaited<ReturnType<typeof setStage>>} Stage everything the demo needs */

/**
 * Makes the package, a fresh project that has it, and a service.
 *
 * @param {import("../engine/setup.mjs").ReadyEngine} engine
 * @param {(line: string) => void} log
 * @param {AbortSignal} interrupted
 */
export async function setStage(engine, log, interrupted) {
  log("Building and packing the package …");
  const tarball = await packPackage();
  log("Installing it in a fresh copy of examples/quickstart …");
  const project = await createProject({ from: "examples/quickstart", tarball, engine });
  const { folder: cwd, env } = project;
  /** @type {typeof import("../../test/service/server.js")} */
  const { startEmulator } = await loadSource("test/service/server.ts");
  const emulator = await startEmulator({ apiKey: KEY });
  log(`Started a local service: ${emulator.url}`);
  return {
    key: KEY,
    service: emulator.control,
    program: () => readFile(join(cwd, PROGRAM), "utf8"),
    edit: (/** @type {string} */ text) => project.write(PROGRAM, text),
    /**
     * Runs a command as a person types it, whether or not it succeeds.
     *
     * @param {string} line
     * @param {{ colours: boolean, show: (text: string) => void }} screen
     */
    run: async (line, { colours, show }) => {
      interrupted.throwIfAborted();
      const [command = "", name = "", ...more] = line.split(" ");
      const args = [name, ...more, "--non-interactive", `--color=${colours ? "always" : "never"}`];
      if (/^(preview|up|refresh|destroy)$/.test(name)) args.push("--suppress-progress");
      const isOurs = command === "npx";
      const bin = isOurs ? join(cwd, "node_modules", ".bin", name) : command;
      const finished = await start(bin, isOurs ? more : args, { cwd, env, show }).finished;
      interrupted.throwIfAborted();
      return finished;
    },
    /** Stops the service and removes the project. */
    clear: async () => {
      await emulator.close();
      await project.remove();
    },
  };
}
