import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { start } from "../../tools/child.mjs";
import { play } from "../../tools/demo.mjs";

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

it("npm test fails where vitest has no objection to a run without tests", async () => {
  const args = ["tools/test.mjs", "--project", "unit", "--passWithNoTests", "there-is-no-such-test"];
  const { code, stdout } = await start(process.execPath, args).finished;
  expect([code, stdout.trim().split("\n").at(-1)]).toEqual([1, "0 passed, 1 failed"]);
});

it("the demo fails where a step does not do what it says", async () => {
  const service = { requests: [], websites: async () => [], pixels: async () => [] };
  const run = async () => ({ code: 0, stdout: "done", stderr: "" });
  const stage = { service, run, program: async () => "", edit: async () => {} } as never;
  const step = { title: "A step", commands: ["up"], holds: [] };
  await play(step, stage);
  for (const wrong of [
    { holds: ["website 1"] },
    { says: ["more"] },
    { writes: ["POST /"] },
    { refused: true },
  ])
    await expect(play({ ...step, ...wrong }, stage)).rejects.toThrow('"A step" did not do what it says:');
});
