import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { start } from "../child.mjs";
import { ROOT } from "../root.mjs";
import { runIfMain } from "../run-if-main.mjs";

/** How long the tests may take, in milliseconds. */
const LIMIT = 300_000;
/** Exit codes of the process that runs the tests. */
const PASSED = 10;
const FAILED = 11;

/**
 * @typedef {object} Trial
 * @property {string} target the changed file
 * @property {string} code what it holds now
 * @property {string | undefined} name of the one test that counts; without it, all do
 */

/**
 * Runs tests against changed code, and returns whether one of them fails, does not end, or cannot be loaded.
 * No file changes on disk: a separate process replaces the code as it loads it.
 *
 * @param {string} file whose code is changed, below the project's folder
 * @param {(code: string) => string} change
 * @param {readonly string[]} tests files or patterns
 * @param {string} [name] of the one test that counts; without it, all do
 * @param {number} [limit] for the tests, in milliseconds
 * @returns {Promise<boolean>}
 */
export async function isNoticed(file, change, tests, name, limit = LIMIT) {
  return (await runChanged(file, change, tests, name, limit)).noticed;
}

/**
 * The same, with what the first test that failed says.
 *
 * @param {string} file
 * @param {(code: string) => string} change
 * @param {readonly string[]} tests
 * @param {string} [name]
 * @param {number} [limit]
 */
export async function runChanged(file, change, tests, name, limit = LIMIT) {
  const target = join(ROOT, file);
  const code = change(await readFile(target, "utf8"));
  const env = {
    ...process.env,
    MUTATION_TESTS: tests.join(" "),
    MUTATION_TRIAL: JSON.stringify({ target, code, name }),
  };
  const trial = start(process.execPath, [import.meta.filename], { cwd: ROOT, env, group: true });
  const patience = setTimeout(() => trial.stop("SIGKILL"), limit);
  const ended = await trial.finished;
  clearTimeout(patience);
  if (ended.signal === null && ended.code !== PASSED && ended.code !== FAILED)
    throw new Error(`The tests of ${file} could not be run:\n${ended.stdout}${ended.stderr}`);
  return { noticed: ended.code !== PASSED, output: ended.stdout };
}

async function tryOut() {
  // On a fresh clone, this module is loaded before packages are installed.
  const { startVitest } = await import("vitest/node");
  /** @type {Trial} */
  const { target, code, name } = JSON.parse(process.env.MUTATION_TRIAL ?? "");
  const vitest = await startVitest(
    "test",
    [],
    {
      config: join(ROOT, "tools/mutation/vitest.config.mts"),
      watch: false,
      reporters: [{}],
      ...(name === undefined ? { bail: 1 } : { testNamePattern: escaped(name) }),
    },
    {
      plugins: [
        {
          name: "break-code",
          enforce: "pre",
          transform: (/** @type {string} */ _, /** @type {string} */ id) =>
            id.split("?")[0] === target ? code : undefined,
        },
      ],
    },
  );
  const modules = vitest.state.getTestModules();
  const failed =
    name === undefined
      ? modules.some((module) => !module.ok())
      : modules.some((module) =>
          [...module.children.allTests()].some((test) => test.result().state === "failed"),
        );
  const errors = modules.flatMap((module) =>
    [...module.children.allTests()].flatMap((test) => test.result().errors ?? []),
  );
  console.log(errors[0]?.message ?? "");
  await vitest.close();
  // Its own exit code says less.
  process.exit(failed ? FAILED : PASSED);
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

await runIfMain(import.meta.url, tryOut);
