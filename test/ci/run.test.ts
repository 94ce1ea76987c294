import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { start } from "../../tools/child.mjs";
import { ROOT } from "../../tools/root.mjs";
import { executable } from "../tools/engine/engines.js";

const INSTALL = "echo '2 passed, 0 failed'";

/** Runs CI's script with these replacements for `npm run demo`, `npm test` and `npm run test:install`. */
async function ran(demo: string, test: string, install = INSTALL) {
  const clone = await mkdtemp(join(tmpdir(), "pulumi-tracking-ci-"));
  onTestFinished(() => rm(clone, { recursive: true, force: true }));
  await mkdir(join(clone, ".ci"));
  await copyFile(join(ROOT, ".ci", "run"), join(clone, ".ci", "run"));
  executable(
    join(clone, "bin"),
    "npm",
    `#!/bin/sh\necho "npm $*" >> asked\ncase "$*" in "run demo") ${demo} ;; test) ${test} ;; "run test:install") ${install} ;; esac\n`,
  );
  const env = { ...process.env, PATH: [join(clone, "bin"), process.env.PATH].join(delimiter) };
  const { code, stdout } = await start("bash", [join(clone, ".ci", "run")], { cwd: tmpdir(), env }).finished;
  const asked = (await readFile(join(clone, "asked"), "utf8")).trim().split("\n");
  return { code, last: stdout.trimEnd().split("\n").at(-1), asked };
}

const ASKED = ["npm run demo", "npm test", "npm run test:install"];

it("CI runs the README's commands in the README's order, then what newcomers install, and ends with the count", async () => {
  expect(await ran("true", "echo '7 passed, 0 failed'")).toEqual({
    code: 0,
    last: "9 passed, 0 failed",
    asked: ASKED,
  });
});

it.each([
  ["a demo that fails is counted, and the tests still run", "exit 1", "echo '7 passed, 0 failed'", "9", "1"],
  [
    "tests that fail are counted, whatever npm says after them",
    "true",
    "echo '5 passed, 2 failed'; echo 'npm error'; exit 1",
    "7",
    "2",
  ],
  ["both are counted", "exit 1", "echo '5 passed, 2 failed'; exit 1", "7", "3"],
  ["tests that never ended count as one failure", "true", "exit 137", "2", "1"],
  ["a run without a count counts as one failure", "true", "true", "2", "1"],
  [
    "a run that failed outside its tests counts as one failure",
    "true",
    "echo '5 passed, 0 failed'; exit 1",
    "7",
    "1",
  ],
  ["skipped tests count as neither", "exit 1", "echo '7 passed, 0 failed, 1 skipped'", "9", "1"],
  [
    "what newcomers install counts too",
    "true",
    "echo '7 passed, 0 failed'",
    "8",
    "1",
    "echo '1 passed, 1 failed'; exit 1",
  ],
])("in CI, %s", async (_says, demo, test, passed, failed, install = INSTALL) => {
  expect(await ran(demo, test, install)).toEqual({
    code: 1,
    last: `${passed} passed, ${failed} failed`,
    asked: ASKED,
  });
});
