import { expect, test } from "vitest";
import { addImportCommand } from "../../../cli/import/command";
import { ran } from "../run-command";

test("help names every option, with its default where it has one", async () => {
  const { status, out } = await ran(addImportCommand, "import", "--help");
  expect(status).toBe(0);
  const options = "declared out format only match exclude from stack file apply force";
  for (const name of options.split(" ")) expect(out).toContain(`--${name}`);
  expect(out).not.toContain("[]");
});

test.each([
  [["--declared", "--only", "websites"], "option '--declared' cannot be used with option '--only <kind>'"],
  [["--declared", "--out", "a.ts"], "option '--declared' cannot be used with option '--out <file>'"],
  [
    ["--format", "json"],
    "option '--format <format>' argument 'json' is invalid. Allowed choices are ts, js, yaml, python, pulumi-yaml.",
  ],
  [["--no-apply"], "unknown option '--no-apply'"],
])("%j makes no command: status 2 and one line", async (args, line) => {
  const { status, out, error } = await ran(addImportCommand, "import", ...args);
  expect([status, out]).toEqual([2, ""]);
  expect(error).toContain(`error: ${line}`);
  expect(error.trimEnd()).not.toContain("\n");
});
