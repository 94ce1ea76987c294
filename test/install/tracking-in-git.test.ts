import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { type Finished, run, start } from "../../tools/child.mjs";
import { createProject, type Project } from "../../tools/project.mjs";
import { ROOT } from "../../tools/root.mjs";
import { LEAN } from "../engine/fresh-project";
import { EXAMPLE, GITLAB, gitlabScripts, type Job, pipeline } from "../examples/tracking-in-git/jobs";
import { pullRequestHost, REPOSITORY_FOLDER } from "../examples/tracking-in-git/pull-request-host";
import { service, type TestService } from "../service";

const PASSWORD = "canary-of-the-password";
const COMMIT = "9fceb02d0ae598e95dc970b74767f19372d61af8";

/** CI's key, which is rotated during the test. */
let key = "first-canary-of-the-key";

/** Each continues where the one before it ended, as in one repository. The jobs are GitLab's. */
describe("the example's files for CI", () => {
  let emulator: TestService;
  let project: Project;

  beforeAll(async () => {
    emulator = await service({ apiKey: key }, afterAll);
    const from = "examples/tracking-in-git";
    project = await createProject({ from, like: inject("installed"), stack: "prod" });
    // `test/engine/published.test.ts` checks the types.
    Object.assign(project.env, LEAN, { PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
    await project.pulumi([
      ...["config", "set-all", "--secret", `shopPassword=${PASSWORD}`],
      ...["--plaintext", `tracking:analyticsBaseUrl=${emulator.url}`],
      ...["--plaintext", `tracking:dataBaseUrl=${emulator.url}`],
    ]);
    await git("init", "--quiet", "--initial-branch", "main");
    await git("add", "--all");
    await git("commit", "--quiet", "--message", "By a person");
  });
  afterAll(async () => {
    await project?.remove();
  });

  const git = async (...args: string[]) => {
    const person = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
    return (await run("git", [...person, ...args], { cwd: project.folder, env: process.env })).stdout;
  };
  const stateFile = () => readFile(project.stateFile("tracking-in-git", "prod"), "utf8");
  const domains = () =>
    emulator.control
      .websites()
      .map(({ domain }) => domain)
      .sort();

  /** Runs CI's commands until one fails, as CI does; returns the requests that changed something meanwhile. */
  async function happens(job: Job) {
    emulator.control.clearRequests();
    const ran: Finished[] = [];
    const env = {
      ...project.env,
      TRACKING_API_KEY: key,
      ...pipeline[job].variables,
      CI_COMMIT_SHA: COMMIT,
    };
    const happensTo = async (commands: readonly string[]) => {
      for (const command of commands) {
        const finished = await start("sh", ["-e", "-c", command], { cwd: project.folder, env }).finished;
        ran.push(finished);
        if (finished.code !== 0) return finished.code;
      }
      return 0;
    };
    const { script, after } = gitlabScripts(job);
    // The packages are there; examples.test.ts runs it.
    const [install, ...commands] = script;
    expect(install).toBe("npm ci");
    const code = await happensTo(commands);
    await happensTo(after);
    // Each job has a clone of its own.
    await git("reset", "--quiet", "--hard");
    const written = emulator.control.requests().filter(({ method }) => method !== "GET");
    return {
      code,
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
      /website `help\.example\.com`: `privacy: someone set "public", and "pulumi up" sets "private"`/,
    );
    expect(await happens("doctor")).toMatchObject({ code: 0, written: [] });
    expect([await stateFile(), emulator.control.websites()]).toEqual(before);

    const corrected = await happens("correct");
    expect([corrected.code, corrected.written.length], corrected.output).toEqual([0, 1]);
    expect(emulator.control.websites().find(({ id }) => id === website?.id)).toMatchObject({ privacy: 1 });
  });

  it("propose at night what someone changed and made as one pull request, whose merge changes nothing on the service", async () => {
    const folder = await mkdtemp(join(tmpdir(), "host-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const remote = join(folder, REPOSITORY_FOLDER);
    await run("git", ["init", "--quiet", "--bare", "--initial-branch", "main", remote]);
    await git("remote", "add", "origin", `file://${remote}`);
    await git("push", "--quiet", "origin", "main");
    const host = await pullRequestHost("GitLab", folder);

    const [website] = emulator.control.websites().filter(({ domain }) => domain.startsWith("help"));
    emulator.control.editWebsite(website?.id ?? 0, { privacy: 0 });
    emulator.control.insertWebsite({ domain: "made.example.com", email: 1 });
    emulator.control.insertWebsite({
      domain: "secret.example.com",
      privacy: 2,
      password: "canary-of-theirs",
    });
    const { code, output } = await happens("drift");
    expect(code, output).not.toBe(0);
    expect(output).not.toContain("canary");
    // The job that may write is another one, in a clone of its own.
    const clone = join(folder, "clone");
    await run("git", ["clone", "--quiet", "--depth=1", `file://${remote}`, clone]);
    for (const name of pipeline.drift.artifacts?.paths ?? [])
      await cp(join(project.folder, name), join(clone, name));
    for (const command of gitlabScripts("accept").script)
      await run("sh", ["-e", "-c", command], { cwd: clone, env: { PATH: process.env.PATH, ...host.env } });
    expect(host.pulls).toHaveLength(1);
    expect(host.pulls[0]?.body).toMatch(/ {4}tracking\/sites\.yaml: changed\..*someone set "public"/s);
    await git("fetch", "--quiet", "origin", "tracking/accept");
    const diff = await git("diff", "main", "FETCH_HEAD");
    expect(diff.match(/^[+-] .*/gm)).toEqual([
      "+  made-example-com:",
      "+    domain: made.example.com",
      "+    privacy: public",
      "+    emailReports: true",
      "+    excludeBots: false",
      "+  # The service does not return the password; it keeps the current one.",
      "+  secret-example-com:",
      "+    domain: secret.example.com",
      "+    privacy: password",
      "+    excludeBots: false",
      "+    privacy: public",
    ]);

    await git("merge", "--quiet", "FETCH_HEAD");
    // An update sends what the service has already.
    const records = () => emulator.control.websites().map(({ updated_at: _, ...columns }) => columns);
    const before = records();
    const merged = await happens("up");
    expect(merged.code, merged.output).toBe(0);
    expect(merged.output).toContain("2 imported.");
    expect(merged.written).toEqual([`PUT /api/v1/websites/${website?.id}`]);
    expect(records()).toEqual(before);

    // A merge that removes what the stack has, which an import alone refuses.
    const sites = join(project.folder, "tracking", "sites.yaml");
    await writeFile(sites, (await readFile(sites, "utf8")).replace(/^ {2}ads: .*\n/m, ""));
    await git("commit", "--quiet", "--all", "--message", "By a person");
    const removed = await happens("up");
    expect([removed.code, removed.written], removed.output).toEqual([
      0,
      [expect.stringMatching(/^DELETE \/api\/v1\/pixels\/\d+$/)],
    ]);

    // A website that somebody deleted goes from the files too. It is protected.
    emulator.control.deleteWebsite(website?.id ?? 0);
    const env = { ...project.env, TRACKING_API_KEY: key };
    const accept = ["pulumi-tracking", "accept", "--stack", "prod", "--deleted", "--apply"];
    await run("npx", accept, { cwd: project.folder, env });
    await git("commit", "--quiet", "--all", "--message", "By a person");
    expect(await readFile(sites, "utf8")).not.toContain("help.example.com");
    expect((await happens("up")).output).toContain("because it is protected");
    const corrected = await happens("correct");
    expect([corrected.code, corrected.written], corrected.output).toEqual([0, []]);
    expect(await happens("drift")).toMatchObject({ code: 0, written: [] });
  });
});

it.each([
  ["merge_request_event", "feature", ["preview"]],
  ["push", "main", ["up"]],
  ["push", "feature", []],
  ["schedule", "main", ["drift", "accept", "doctor", "correct"]],
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
