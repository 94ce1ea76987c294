import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { createVitest } from "vitest/node";
import { ROOT } from "../root.mjs";

/** How long the tests may take, in milliseconds; code that goes on for ever is not to hold up the others. */
const LIMIT = 300_000;

/**
 * Runs tests against changed code, and says whether one of them fails, does not end, or can't even be loaded.
 * Nothing on the disk is changed: the code is replaced as it is read.
 *
 * @param {string} file whose code is changed, below the project's folder
 * @param {(code: string) => string} change
 * @param {readonly string[]} tests files or patterns
 * @param {string} [name] of the one test that counts; without it, all do
 * @param {number} [limit] for the tests, in milliseconds
 * @returns {Promise<boolean>}
 */
export async function isNoticed(file, change, tests, name, limit = LIMIT) {
  process.env.MUTATION_TESTS = tests.join(" ");
  const target = join(ROOT, file);
  const vitest = await createVitest(
    "test",
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
          transform: (/** @type {string} */ code, /** @type {string} */ id) =>
            id.split("?")[0] === target ? change(code) : undefined,
        },
      ],
    },
  );
  const patience = new AbortController();
  const ended = await Promise.race([
    vitest.start().then(() => true),
    setTimeout(limit, false, { signal: patience.signal }),
  ]);
  patience.abort();
  // A failed test makes vitest end this process with an error, which here is what is wanted.
  process.exitCode = undefined;
  const modules = vitest.state.getTestModules();
  const failed =
    name === undefined
      ? modules.some((module) => !module.ok())
      : modules.some((module) =>
          [...module.children.allTests()].some((test) => test.result().state === "failed"),
        );
  await vitest.close();
  return failed || !ended;
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
