import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { start } from "../../tools/child.mjs";
import { ROOT } from "../../tools/root.mjs";
import { executable } from "../tools/engine/engines.js";

/** Runs CI's script with these replacements for `npm run demo` and `npm test`. */
async function ran(demo: string, test: string) {
  const clone = await mkdtemp(join(tmpdir(), "pulumi-tracking-ci-"));
  onTestFinished(() => rm(clone, { recursive: true, force: true }));
  await mkdir(join(clone, ".ci"));
  await copyFile(join(ROOT, ".ci", "run"), join(clone, ".ci", "run"));
  executable(
    join(clone, "bin"),
    "npm",
    `#!/bin/sh\necho "npm $*" >> asked\ncase "$*" in "run demo") ${demo} ;; test) ${test} ;; esac\n`,
  );
  const env = { ...process.env, PATH: [join(clone, "bin"), process.env.PATH].join(delimiter) };
  const { code, stdout } = await start("bash", [join(clone, ".ci", "run")], { cwd: tmpdir(), env }).finished;
  const asked = (await readFile(join(clone, "asked"), "utf8")).trim().split("\n");
  return { code, last: stdout.trimEnd().split("\n").at(-1), asked };
}

it("CI runs the README's commands in the README's order, and ends with the count", async () => {
  expect(await ran("true", "echo '7 passed, 0 failed'")).toEqual({
    code: 0,
    last: "7 passed, 0 failed",
    asked: ["npm run demo", "npm test"],
  });
});

it.each([
  ["a demo that fails is counted, and the tests still run", "exit 1", "echo '7 passed, 0 failed'", "7", "1"],
  [
    "tests that fail are counted, whatever npm says after them",
    "true",
    "echo '5 passed, 2 failed'; echo 'npm error'; exit 1",
    "5",
    "2",
  ],
  ["both are counted", "exit 1", "echo '5 passed, 2 failed'; exit 1", "5", "3"],
  ["tests that never ended count as one failure", "true", "exit 137", "0", "1"],
  ["a run without a count counts as one failure", "true", "true", "0", "1"],
  [
    "a run that failed outside its tests counts as one failure",
    "true",
    "echo '5 passed, 0 failed'; exit 1",
    "5",
    "1",
  ],
  ["skipped tests count as neither", "exit 1", "echo '7 passed, 0 failed, 1 skipped'", "7", "1"],
])("in CI, %s", async (_says, demo, test, passed, failed) => {
  expect(await ran(demo, test)).toEqual({
    code: 1,
    last: `${passed} passed, ${failed} failed`,
    asked: ["npm run demo", "npm test"],
  });
});
