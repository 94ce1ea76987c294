import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import { addImportCommand } from "../../cli/import/command";
import { ran } from "./run-command";

test("help of the program has an example and the exit codes, in whole lines of a terminal", async () => {
  const { status, out } = await ran(addImportCommand, "--help");
  expect(status).toBe(0);
  expect(out).toContain("Example, the first time:\n  npx pulumi-tracking doctor\n");
  expect(out).toContain("Exit codes: 0 done, 1 failed (doctor: found an error), 2 invalid arguments.");
  expect(out.replaceAll(/\n +/g, " ")).toContain("Writes a program for the records that the stack lacks, or");
  for (const line of out.split("\n")) expect(line.length, line).toBeLessThanOrEqual(80);
});

test("--cwd runs a command in another folder, which has to exist", async () => {
  const before = process.cwd();
  onTestFinished(() => process.chdir(before));
  const wrong = await ran(addImportCommand, "--cwd", "/nowhere", "import");
  expect(wrong).toMatchObject({ status: 1, error: expect.stringContaining("/nowhere can't be entered") });
  const { error } = await ran(addImportCommand, "--cwd", tmpdir(), "import");
  expect(error).toContain("or name that folder with --cwd");
});
