import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { type Finished, run, start } from "../../tools/child.mjs";
import { createProject, type Project } from "../../tools/project.mjs";
import { ROOT } from "../../tools/root.mjs";
import { LEAN } from "../engine/fresh-project";
import { EXAMPLE, GITLAB, gitlabCommands, type Job, pipeline } from "../examples/tracking-in-git/jobs";
import { service, type TestService } from "../service";

const PASSWORD = "canary-of-the-password";
const COMMIT = "9fceb02d0ae598e95dc970b74767f19372d61af8";

/** CI's key, which is rotated during the test. */
let key = "first-canary-of-the-key";

/** Each continues where the one before it ended, as in one repository. The jobs are GitLab's. */
describe("the example's files for CI", () => {
  let emulator: TestService;
  let project: Project;
  let installed = false;

  beforeAll(async () => {
    emulator = await service({ apiKey: key }, afterAll);
    project = await createProject({
      from: "examples/tracking-in-git",
      tarball: inject("tarball"),
      stack: "prod",
    });
    // `test/engine/published.test.ts` checks the types.
    Object.assign(project.env, LEAN, { PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
    await project.pulumi([
      ...["config", "set-all", "--secret", `shopPassword=${PASSWORD}`],
      ...["--plaintext", `tracking:analyticsBaseUrl=${emulator.url}`],
      ...["--plaintext", `tracking:dataBaseUrl=${emulator.url}`],
    ]);
  });
  afterAll(async () => {
    await project?.remove();
  });

  const stateFile = () => readFile(join(project.backend, ".pulumi/stacks/tracking-in-git/prod.json"), "utf8");
  const domains = () =>
    emulator.control
      .websites()
      .map(({ domain }) => domain)
      .sort();

  /** Runs CI's commands until one fails, as CI does; returns the requests that changed something meanwhile. */
  async function happens(job: Job) {
    emulator.control.clearRequests();
    const ran: Finished[] = [];
    // Installing takes long, and the packages are there after the first time.
    for (const command of gitlabCommands(job).filter((each) => each !== "npm ci" || !installed)) {
      const env = {
        ...project.env,
        TRACKING_API_KEY: key,
        ...pipeline[job].variables,
        CI_COMMIT_SHA: COMMIT,
        npm_config_prefer_offline: "true",
      };
      const finished = await start("sh", ["-e", "-c", command], { cwd: project.folder, env }).finished;
      ran.push(finished);
      installed ||= command === "npm ci";
      if (finished.code !== 0) break;
    }
    const written = emulator.control.requests().filter(({ method }) => method !== "GET");
    return {
      code: ran.at(-1)?.code,
      output: ran.map(({ stdout, stderr }) => `${stdout}\n${stderr}`).join("\n"),
      written: written.map(({ method, path }) => `${method} ${path}`),
    };
  }

  it("show on a pull request what it would change, and change nothing", async () => {
    const { code, output, written } = await happens("preview");
    expect([code, written], output).toEqual([0, []]);
    expect(output).toContain("shop.example.com");
    expect(output).not.toContain(PASSWORD);
  });

  it("apply a merge, name its commit, and keep key and password out of the state and of what is printed", async () => {
    const { code, output } = await happens("up");
    expect(code, output).toBe(0);
    const texts = [await stateFile(), output];
    for (const secret of [PASSWORD, key]) expect(texts.filter((text) => text.includes(secret))).toEqual([]);
    expect(domains()).toEqual(["blog.example.com", "help.example.com", "shop.example.com"]);
    expect(emulator.control.pixels().map(({ value }) => value)).toEqual(
      expect.arrayContaining(["G-EXAMPLE1", "012345678"]),
    );
    const [latest] = JSON.parse((await project.pulumi(["stack", "history", "--json"])).stdout);
    expect(latest.message).toBe(`Commit ${COMMIT}`);
  });

  it("find nothing at night if nothing changed, and continue with a key that was rotated only in CI", async () => {
    const before = key;
    key = "second-canary-of-the-key";
    emulator.control.keys.add(key);
    emulator.control.keys.delete(before);
    for (const event of ["drift", "doctor", "up"] as const) {
      const { code, output, written } = await happens(event);
      expect([event, code, written], output).toEqual([event, 0, []]);
    }
  });

  it("fail at night if someone changed a website, change nothing themselves, and correct by hand what they found", async () => {
    const [website] = emulator.control.websites().filter(({ domain }) => domain.startsWith("help"));
    emulator.control.editWebsite(website?.id ?? 0, { privacy: 0 });
    const before = [await stateFile(), emulator.control.websites()];
    const { code, output, written } = await happens("drift");
    expect([code === 0, written], output).toEqual([false, []]);
    expect(output).toMatch(
      /website help\.example\.com: privacy: someone set "public", and "pulumi up" sets "private"/,
    );
    expect(await happens("doctor")).toMatchObject({ code: 0, written: [] });
    expect([await stateFile(), emulator.control.websites()]).toEqual(before);

    const corrected = await happens("correct");
    expect([corrected.code, corrected.written.length], corrected.output).toEqual([0, 1]);
    expect((await happens("drift")).code).toBe(0);
  });
});

it.each([
  ["merge_request_event", "feature", ["preview"]],
  ["push", "main", ["up"]],
  ["push", "feature", []],
  ["schedule", "main", ["drift", "doctor", "correct"]],
])("runs on GitLab, at %s of %s, the jobs %j", async (source, branch, expected) => {
  const folder = await mkdtemp(join(tmpdir(), "gitlab-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(EXAMPLE, GITLAB), join(folder, GITLAB));
  await run("git", ["init", "--quiet", "--initial-branch", "main"], { cwd: folder });
  const variables = { CI_PIPELINE_SOURCE: source, CI_COMMIT_BRANCH: branch, CI_DEFAULT_BRANCH: "main" };
  const set = Object.entries(variables).flatMap(([name, value]) => ["--variable", `${name}=${value}`]);
  const linter = join(ROOT, "node_modules", "gitlab-ci-local", "dist", "index.js");
  // It also validates the file against GitLab's schema.
  const args = [linter, "--list-json", ...set];
  const { stdout } = await run(process.execPath, args, { cwd: folder, env: process.env });
  const jobs: { name: string; when: string }[] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
  expect(jobs.filter(({ when }) => when !== "never").map(({ name }) => name)).toEqual(expected);
});
