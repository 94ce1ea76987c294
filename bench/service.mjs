import { fork } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../tools/root.mjs";

/** The key of the service. */
export const KEY = "bench-key";

/** The built emulator. */
const EMULATOR = join(ROOT, "dist", "emulator", "index.js");

/**
 * The service on this machine, in a separate process, without a rate limit.
 *
 * @returns {Promise<Service>}
 */
export async function startService() {
  const child = fork(fileURLToPath(import.meta.url), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const ended = once(child, "exit");
  const failed = ended.then(() => {
    throw new Error("The service did not start.");
  });
  failed.catch(() => {});
  const [url] = await Promise.race([once(child, "message"), failed]);
  const stop = async () => {
    if (child.connected) child.disconnect();
    await ended;
  };
  return { client: emulator().connectEmulator(url), stop };
}

/**
 * @typedef {object} Service
 * @property {import("../emulator/index.js").EmulatorClient} client
 * @property {() => Promise<void>} stop
 */

/** @returns {typeof import("../emulator/index.js")} */
function emulator() {
  return createRequire(import.meta.url)(EMULATOR);
}

// In the child process, which runs this module too:
if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  process.on("disconnect", () => process.exit());
  const { url } = await emulator().startEmulator({ rateLimit: false, apiKey: KEY });
  process.send(url);
}
