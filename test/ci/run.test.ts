import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { start } from "../../tools/child.mjs";
import { ROOT } from "../../tools/root.mjs";
import { executable } from "../tools/engine/engines.js";

/** Runs CI's script with these replacements for `npm run demo`, `npm test` and `npm run test:install`. */
async function ran(demo: string, test: string, install = "echo '2 passed, 0 failed'") {
  const clone = await mkdtemp(join(tmpdir(), "pulumi-tracking-ci-"));
  onTestFinished(() => rm(clone, { recursive: true, force: true }));
  await mkdir(join(clone, ".ci"));
  await copyFile(join(ROOT, ".ci", "run"), join(clone, ".ci", "run"));
  const cases = `"run demo") ${demo} ;; test) ${test} ;; "run test:install") ${install} ;;`;
  const npm = `#!/bin/sh\necho "npm $*" >> asked\ncase "$*" in ${cases} esac\n`;
  executable(join(clone, "bin"), "npm", npm);
  const env = { ...process.env, PATH: [join(clone, "bin"), process.env.PATH].join(delimiter) };
  const { code, stdout } = await start("bash", [join(clone, ".ci", "run")], { cwd: tmpdir(), env }).finished;
  const asked = (await readFile(join(clone, "asked"), "utf8")).trim().split("\n");
  return { code, last: stdout.trimEnd().split("\n").at(-1), asked };
}

const asked = ["npm run demo", "npm test", "npm run test:install"];

it("CI runs the README's commands in their order, then what newcomers install, and ends with the count", async () => {
  expect(await ran("true", "echo '7 passed, 0 failed'")).toEqual({
    code: 0,
    last: "9 passed, 0 failed",
    asked,
  });
});

it.each([
  [
    "a demo and tests that fail are counted",
    "exit 1",
    "echo '5 passed, 2 failed'; exit 1",
    "7 passed, 3 failed",
  ],
  ["tests that end without a count count as one failure", "true", "exit 137", "2 passed, 1 failed"],
])("in CI, %s, and the others still run", async (_says, demo, test, last) => {
  expect(await ran(demo, test)).toEqual({ code: 1, last, asked });
});
