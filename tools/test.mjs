import { basename } from "node:path";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";

/** What runs without arguments. */
const PROJECTS = ["--project", "unit", "--project", "built", "--project", "engine"];

/**
 * How many commands of the engine all tests may start: each takes about a second of a processor, whatever it does. A new story
 * shares a command with another one, or raises this number by its own.
 */
const MOST_COMMANDS = 139;

/**
 * Any reason for vitest to fail counts, such as a file that could not be loaded, and so does a run without tests.
 *
 * @param {string[]} args
 */
async function runTests(args) {
  console.log("\nTests …");
  process.env.CASES ??= "0";
  const { parseCLI, startVitest } = await import("vitest/node");
  const { filter, options } = parseCLI(["vitest", "run", ...args]);
  const { state } = await startVitest("test", filter, { ...options, root: ROOT });
  const tests = state.getTestModules().flatMap(({ children }) => [...children.allTests()]);
  const count = (/** @type {string} */ outcome) =>
    tests.filter((test) => test.result().state === outcome).length;
  const passed = count("passed");
  const failed = count("failed") || (passed > 0 && !process.exitCode ? 0 : 1);
  return { passed, failed, skipped: tests.length - passed - count("failed"), commands: commandsOf(state) };
}

/** The commands of the engine, in all and of the files that start the most. @param {import("vitest/node").Vitest["state"]} state */
function commandsOf(state) {
  const files = state
    .getTestModules()
    .map((file) => ({ name: basename(file.moduleId, ".test.ts"), count: file.meta().engineCommands ?? 0 }))
    .sort((one, other) => other.count - one.count);
  const total = files.reduce((sum, { count }) => sum + count, 0);
  const most = files.slice(0, 5).map(({ name, count }) => `${name} ${count}`);
  return { total, text: `Commands of the engine: ${total} of ${MOST_COMMANDS} (${most.join(", ")} …)` };
}

/**
 * Sets up what is missing, checks the code, and runs the tests. The last line says how many passed and failed; a
 * check with findings counts as a failure, and so do too many commands of the engine. Arguments go to vitest, such as `--project unit`, and leave the checks out.
 */
async function test() {
  // On a fresh clone, this module is loaded before packages are installed.
  const { start } = await import("./child.mjs");
  const args = process.argv.slice(2);
  const isAll = args.length === 0;
  // Beside the tests; its findings are printed after them.
  const check = isAll ? start("npm", ["run", "check"], { cwd: ROOT }) : undefined;
  const counts = await runTests(isAll ? PROJECTS : args);
  const code = (await check?.finished)?.code ?? 0;
  if (check !== undefined)
    console.log(code === 0 ? "\nFormatting, lint rules and types: no findings" : `\n${check.output()}`);
  const { total, text } = counts.commands;
  if (total > 0) console.log(text);
  const isTooMany = isAll && total > MOST_COMMANDS;
  if (isTooMany)
    console.log(
      `That is ${total - MOST_COMMANDS} too many: let stories share commands, or raise the number in tools/test.mjs.`,
    );
  const failed = counts.failed + (code === 0 ? 0 : 1) + (isTooMany ? 1 : 0);
  if (failed > 0) process.exitCode = 1;
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : "";
  console.log(`${counts.passed} passed, ${failed} failed${skipped}`);
}

await runIfMain(import.meta.url, test);
