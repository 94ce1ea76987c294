import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { start } from "../child.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));

// Runs in a separate process, because an installation in progress cannot be cancelled from inside.
const SCRIPT = `
const [sdk, semver, version, root] = process.argv.slice(1);
const { PulumiCommand } = require(sdk);
const { SemVer } = require(semver);
PulumiCommand.install({ version: new SemVer(version), root }).catch((error) => {
  console.error(error.message);
  process.exit(1);
});
`;

/**
 * Lets the Automation API download the official engine into a folder. It is cancelled when nothing arrives for a while,
 * because behind some firewalls a connection neither succeeds nor fails.
 *
 * @param {string} version
 * @param {string} root gets a `bin` folder
 * @param {number} [patience] milliseconds without a byte
 */
export async function installOfficialEngine(version, root, patience = 15_000) {
  const require = createRequire(import.meta.url);
  const sdk = require.resolve("@pulumi/pulumi/automation");
  const semver = require.resolve("semver", { paths: [sdk] });
  await download(process.execPath, ["--eval", SCRIPT, sdk, semver, version, root], root, patience);
}

/**
 * Runs a command that downloads, as long as its temporary folder grows.
 *
 * @param {string} command
 * @param {string[]} args
 * @param {string} root holds the temporary folder meanwhile
 * @param {number} patience milliseconds without growth
 */
export async function download(command, args, root, patience) {
  const scratch = join(root, "download");
  await mkdir(scratch, { recursive: true });
  const env = { ...process.env, TMPDIR: scratch };
  const running = start(command, args, { cwd: HERE, env, group: true });
  let size = 0;
  let grew = performance.now();
  let stalled = false;
  const watch = setInterval(
    async () => {
      const now = await sizeOf(scratch);
      if (now !== size) grew = performance.now();
      size = now;
      if (performance.now() - grew < patience) return;
      stalled = true;
      running.stop("SIGKILL");
    },
    Math.min(500, patience),
  );
  try {
    const { code, stderr } = await running.finished;
    if (stalled) throw new Error(`nothing arrived for ${patience / 1000} s`);
    if (code !== 0) throw new Error(stderr.trim().split("\n").at(-1) || `exit code ${code}`);
  } finally {
    clearInterval(watch);
    await rm(scratch, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function sizeOf(folder) {
  const entries = await readdir(folder, { recursive: true }).catch(() => []);
  let bytes = entries.length;
  for (const entry of entries) bytes += (await stat(join(folder, entry)).catch(() => ({ size: 0 }))).size;
  return bytes;
}
