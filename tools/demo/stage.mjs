import { subscribe } from "node:diagnostics_channel";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { start } from "../child.mjs";
import { packPackage } from "../pack.mjs";
import { createProject } from "../project.mjs";

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
  /** @type {typeof import("../../emulator/index.js")} */
  const { startEmulator } = createRequire(join(cwd, PROGRAM))("pulumi-tracking/emulator");
  const emulator = await startEmulator({ apiKey: KEY });
  log(`Started a local service: ${emulator.url}`);
  return {
    key: KEY,
    service: clientOf(emulator.url),
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

/** @typedef {Record<"id" | "domain" | "privacy" | "email" | "name" | "type" | "value", string | number>} Stored */
/** @typedef {ReturnType<typeof clientOf>} Client what the demo sees of the service, and does there as someone else */

/** @param {string} url of a service in this process */
function clientOf(url) {
  /** @type {{ method: string, path: string }[]} */
  const requests = [];
  subscribe("http.server.request.start", (message) => {
    const { request } = /** @type {{ request: import("node:http").IncomingMessage }} */ (message);
    requests.push({ method: request.method ?? "", path: new URL(request.url ?? "", url).pathname });
  });
  const ask = async (
    /** @type {string} */ method,
    /** @type {string} */ path,
    /** @type {Record<string, string>} */ fields = {},
  ) => {
    const headers = { Authorization: `Bearer ${KEY}`, Accept: "application/json" };
    const body = method === "GET" ? null : new URLSearchParams(fields);
    const answer = await fetch(url + path, { method, headers, body });
    if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}.`);
    const { data } = /** @type {{ data: Stored[] }} */ (await answer.json());
    return data;
  };
  const all = (/** @type {string} */ kind) => ask("GET", `/api/v1/${kind}?sort=asc&per_page=100`);
  return {
    url,
    ask,
    requests,
    websites: () => all("websites"),
    pixels: () => all("pixels"),
  };
}
