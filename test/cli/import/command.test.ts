import { expect, test } from "vitest";
import { addImportCommand } from "../../../cli/import/command";
import { ran } from "../run-command";

test("help fits a screen, and names every option, an example and the exit codes", async () => {
  const { status, out } = await ran(addImportCommand, "import", "--help");
  expect(status).toBe(0);
  const options = "declared out format only match exclude from stack file apply";
  for (const name of options.split(" ")) expect(out).toContain(`--${name}`);
  expect(out).toContain("Example: npx pulumi-tracking import --match");
  expect(out).toContain("Exit codes: 0 done");
  const lines = out.trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(24);
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
});

test.each([
  [["--declared", "--only", "websites"], "option '--declared' cannot be used with option '--only <kind>'"],
  [["--format", "json"], "argument 'json' is invalid. Allowed choices are ts, js, yaml."],
])("%j makes no command: status 2 and one line", async (args, line) => {
  const { status, out, error } = await ran(addImportCommand, "import", ...args);
  expect([status, out]).toEqual([2, ""]);
  expect(error).toMatch(/^error: [^\n]+\n$/);
  expect(error).toContain(line);
});
