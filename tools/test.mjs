import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { start } from "./child.mjs";
import { ensureEngine } from "./engine/setup.mjs";
import { ensurePackages } from "./packages.mjs";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";

/** What runs without arguments. */
const PROJECTS = ["--project", "unit", "--project", "engine"];

/**
 * Sets up what is missing, checks the code, and runs the tests. The last line says how many passed and failed; a
 * check with findings counts as a failure. Arguments go to vitest, such as `--project unit`, and leave the checks out.
 */
async function test() {
  await ensurePackages();
  await ensureEngine();
  const given = process.argv.slice(2);
  const isWhole = given.length === 0;
  // Beside the tests; its findings are printed after them.
  const check = isWhole ? start("npm", ["run", "check"], { cwd: ROOT }) : undefined;
  const counts =
    given[0] === "--native"
      ? await runTests(["--project", "engine", ...given.slice(1)], { FORM: "native" })
      : await runTests(isWhole ? PROJECTS : given);
  const code = (await check?.finished)?.code ?? 0;
  if (check !== undefined)
    console.log(code === 0 ? "\nFormatting, lint rules and types: no findings" : `\n${check.output()}`);
  const failed = counts.failed + (code === 0 ? 0 : 1);
  if (failed > 0) process.exitCode = 1;
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
  console.log(`${counts.passed} passed, ${failed} failed${skipped}`);
}

/**
 * Any reason for vitest to fail counts, such as a file that could not be loaded, and so does a run without tests.
 *
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 */
async function runTests(args, env = {}) {
  console.log("\nTests …");
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-test-"));
  const report = join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const script = join(ROOT, "node_modules", "vitest", "vitest.mjs");
    const child = spawn(process.execPath, [script, "run", ...reporters, ...args], {
      cwd: ROOT,
      env: { CASES: "0", ...process.env, ...env },
      stdio: ["ignore", "inherit", "inherit"],
    });
    const [code] = await once(child, "close");
    // Without a report, vitest itself has failed.
    const none = { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 };
    /** @type {typeof none} */
    const counted = await readFile(report, "utf8").then(JSON.parse, () => none);
    const passed = counted.numPassedTests;
    const failed = counted.numFailedTests || (code === 0 && passed > 0 ? 0 : 1);
    return { passed, failed, skipped: counted.numPendingTests + counted.numTodoTests };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await runIfMain(import.meta.url, test);
