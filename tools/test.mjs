import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { start } from "./child.mjs";
import { ensureEngine } from "./engine/setup.mjs";
import { ensurePackages } from "./packages.mjs";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";
import { vitest } from "./vitest.mjs";

/** What runs without arguments. */
const PROJECTS = ["--project", "unit", "--project", "engine"];

/**
 * Sets up what is missing, checks the code, and runs the tests. The last line says how many passed and failed; a
 * check with findings counts as a failure. Arguments go to vitest, such as `--project unit`, and leave the checks out.
 */
async function test() {
  const outcome = { passed: 0, failed: 0, skipped: 0, sound: false };
  try {
    await ensurePackages();
    await ensureEngine();
    const [first, ...given] = process.argv.slice(2);
    // Beside the tests; its findings are printed after them.
    const check = first === undefined ? start("npm", ["run", "check"], { cwd: ROOT }) : undefined;
    const ran =
      first === "--native"
        ? runTests(["--project", "engine", ...given], { ...process.env, FORM: "native" })
        : runTests(first === undefined ? PROJECTS : [first, ...given]);
    Object.assign(outcome, await ran);
    const code = (await check?.finished)?.code ?? 0;
    if (check !== undefined)
      console.log(code === 0 ? "\nFormatting, lint rules and types: no findings" : `\n${check.output()}`);
    if (code !== 0) outcome.failed += 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    outcome.failed += 1;
  }
  const { passed, failed, skipped, sound } = outcome;
  if (!sound || failed > 0) process.exitCode = 1;
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
}

/** @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
async function runTests(args, env) {
  console.log("\nTests …");
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-test-"));
  const report = join(folder, "report.json");
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const code = await vitest(["run", ...reporters, ...args], env);
    return summarize(JSON.parse(await readFile(report, "utf8")), code);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Counts a run. A file that failed outside its tests, such as one that could not be loaded, counts as one failure, and so
 * does any other reason for vitest to fail. The run is sound if tests have run and nothing went wrong.
 *
 * @param {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: readonly { status: string, assertionResults: readonly { status: string }[] }[] }} report vitest's
 * @param {number | null} code vitest's exit code
 */
function summarize({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }, code) {
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((each) => each.status === "failed"),
  );
  const failed = numFailedTests + broken.length || (code === 0 ? 0 : 1);
  const skipped = numPendingTests + numTodoTests;
  return { passed: numPassedTests, failed, skipped, sound: failed === 0 && numPassedTests > 0 };
}

const usage = `npm test -- [ARGUMENTS OF VITEST]

Checks the code and runs its tests, the last of them through the real Pulumi engine. The last line says how many
passed and failed. Takes some 15 minutes on two cores; the first time some more, for what has to be installed.
With arguments, only the tests that they name run:

  npm test -- --project unit     the tests that need no engine: some 4 minutes
  npm test -- test/docs          one folder, or one file

npm run test:install runs those that install as newcomers do: package managers, templates, examples, and the
documents' commands typed in. It takes some 10 minutes, and CI runs it too.

npm run test:native runs the engine's tests over the plugin, and programs in Python and Go, in 15 to 20 minutes.
Programs in Python need python3 and the package registry, those in Go need Go; a test without them is skipped.`;

await runIfMain(import.meta.url, test, usage);
