import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { start } from "../../tools/child.mjs";

it.each([
  ["is green if all pass", [0, 0, 0], [0, "6 passed, 0 failed"]],
  ["counts a failed demo", [1, 0, 0], [1, "6 passed, 1 failed"]],
  ["counts failed tests", [0, 2, 0], [1, "6 passed, 2 failed"]],
  ["counts failed installs", [0, 0, 1], [1, "6 passed, 1 failed"]],
  ["counts a command that says nothing of its failure", [0, 9, 0], [1, "3 passed, 1 failed"]],
])("CI's script %s", async (_says, [demo, unit, install], expected) => {
  const bin = mkdtempSync(join(tmpdir(), "ci-"));
  onTestFinished(() => rmSync(bin, { recursive: true }));
  const tests = (failed?: number) =>
    failed === 9 ? "exit 1" : `echo "3 passed, ${failed} failed"; exit $(( ${failed} > 0 ))`;
  const cases = `"run demo") exit ${demo} ;;\n"test") ${tests(unit)} ;;\n*) ${tests(install)} ;;`;
  writeFileSync(join(bin, "npm"), `#!/bin/sh\ncase "$*" in\n${cases}\nesac\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  const { code, stdout } = await start(".ci/run", [], { env }).finished;
  expect([code, stdout.trim().split("\n").at(-1)]).toEqual(expected);
});
