import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureEngine } from "./engine/setup.mjs";
import { whenEntry } from "./entry.mjs";
import { ensurePackages } from "./packages.mjs";
import { ROOT } from "./root.mjs";
import { tally } from "./tally.mjs";

/**
 * Sets up what is missing, checks the code, and runs every test. The last line says how many passed and failed.
 * Arguments go to vitest, such as `--project unit`.
 */
async function test() {
  const outcome = { passed: 0, failed: 0, skipped: 0, sound: false };
  try {
    await ensurePackages();
    await ensureEngine();
    await step("Formatting and lint rules", "@biomejs/biome/bin/biome", ["check", "."]);
    await step("Types", "typescript/bin/tsc", ["--noEmit"]);
    Object.assign(outcome, await runTests(process.argv.slice(2)));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    outcome.failed = 1;
  }
  const { passed, failed, skipped, sound } = outcome;
  if (!sound) process.exitCode = 1;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
}

/**
 * @param {string} title
 * @param {string} script
 * @param {string[]} args
 */
async function step(title, script, args) {
  console.log(`\n${title} …`);
  const code = await node(script, args);
  if (code !== 0)
    throw new Error(`\n${title}: what is printed above has to be put right first. No test has run.`);
}

/** @param {string[]} args */
async function runTests(args) {
  console.log("\nTests …");
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-test-"));
  const report = join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const code = await node("vitest/vitest.mjs", ["run", ...reporters, ...args]);
    return tally(JSON.parse(await readFile(report, "utf8")), code);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Runs a package's command in this terminal.
 *
 * @param {string} script in node_modules
 * @param {string[]} args
 * @returns {Promise<number | null>} the exit code
 */
function node(script, args) {
  const file = join(ROOT, "node_modules", script);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], {
      cwd: ROOT,
      stdio: ["ignore", "inherit", "inherit"],
    });
    child.on("error", reject);
    child.on("close", resolve);
  });
}

const usage = `npm test -- [ARGUMENTS OF VITEST]

Checks the code and runs every test, the last of them through the real Pulumi engine. The last line says how many
passed and failed. Takes 10 to 20 minutes on two cores; the first time some more, for what has to be installed.

  npm test -- --project unit     only the tests that need no engine: 1 to 2 minutes
  npm test -- test/docs          only one folder, or one file`;

await whenEntry(import.meta.url, test, usage);
