import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startVitest } from "vitest/node";
import { ROOT } from "../root.mjs";
import { promises } from "./promises.mjs";

/**
 * Breaks each promise, and runs the test that holds it against the broken code. Nothing on the disk is changed:
 * the code is replaced as it is loaded. An error where a test does not fail, or does not exist.
 *
 * @returns {Promise<readonly import("./document.mjs").Broken[]>}
 */
export async function breakPromises() {
  const kept = [];
  for (const each of promises) {
    const failed = await failedTests(each);
    if (!failed) kept.push(each);
    console.log(`${failed ? "noticed" : "NOT NOTICED"}: ${each.change} (${each.promise})`);
  }
  if (kept.length > 0) throw new Error(`No test fails where ${kept.map(({ change }) => change).join("; ")}`);
  return promises.map(({ promise, change, file, test, name }) => ({ promise, change, file, test, name }));
}

/**
 * @param {import("./promises.mjs").Breach} breach
 * @returns {Promise<boolean>} whether the named test, and not merely another, has failed
 */
async function failedTests({ file, code, instead, test, name }) {
  const target = join(ROOT, file);
  if ((await readFile(target, "utf8")).split(code).length !== 2)
    throw new Error(`${file} does not have once: ${code}`);
  const vitest = await startVitest(
    "test",
    [test],
    {
      config: join(ROOT, "tools/mutation/vitest.config.mts"),
      watch: false,
      testNamePattern: escaped(name),
      reporters: [{}],
    },
    {
      plugins: [
        {
          name: "break-promise",
          enforce: "pre",
          transform: (/** @type {string} */ source, /** @type {string} */ id) =>
            id.split("?")[0] === target ? source.replace(code, () => instead) : undefined,
        },
      ],
    },
  );
  // A failed test makes vitest end this process with an error, which here is what is wanted.
  process.exitCode = undefined;
  const states = vitest.state
    .getTestModules()
    .flatMap((module) => [...module.children.allTests()])
    .map((each) => each.result().state);
  await vitest.close();
  return states.includes("failed");
}

/** @param {string} text */
function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
