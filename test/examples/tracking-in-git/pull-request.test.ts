import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { run, start } from "../../../tools/child.mjs";
import { EXAMPLE } from "./jobs";
import { pullRequestHost, REPOSITORY_FOLDER } from "./pull-request-host";

const SITES = "websites:\n  shop: { domain: shop.example }\n  blog: { domain: blog.example }\n";
const PUBLIC = SITES.replace("shop.example }", "shop.example, privacy: public }");

/** A repository with one file, its host, and what the nights do. */
async function repository(kind: "GitHub" | "GitLab") {
  const root = await mkdtemp(join(tmpdir(), "pull-request-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const remote = join(root, REPOSITORY_FOLDER);
  const host = await pullRequestHost(kind, root);
  const env = { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: "1" };
  const git = async (cwd: string, ...args: string[]) => {
    const person = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
    return (await run("git", [...person, ...args], { cwd, env })).stdout.trim();
  };
  await mkdir(remote, { recursive: true });
  await git(remote, "init", "--quiet", "--bare", "--initial-branch", "main");
  let clones = 0;
  /** A clone of a branch, as CI's job gets it, or as a person has it. */
  async function clone(...args: string[]): Promise<string> {
    clones += 1;
    const folder = join(root, `clone-${clones}`);
    await git(root, "clone", "--quiet", "--depth=1", ...args, `file://${remote}`, folder);
    return folder;
  }
  /** A person commits to a branch. */
  async function commit(files: Record<string, string>, branch = "main"): Promise<void> {
    const folder = await clone(...(clones === 0 ? [] : ["--branch", branch]));
    await mkdir(join(folder, "tracking"), { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await git(folder, "add", "--all");
    await git(folder, "commit", "--quiet", "--message", "By a person");
    await git(folder, "push", "--quiet", "origin", `HEAD:${branch}`);
  }
  /** What the job says after a night in which the commands wrote these files. */
  async function night(
    files: Record<string, string>,
    said = "tracking/sites.yaml: changed.\n",
  ): Promise<string> {
    const folder = await clone();
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    await git(folder, "add", "--all", "tracking");
    const patch = (await run("git", ["diff", "--staged"], { cwd: folder, env })).stdout;
    await git(folder, "reset", "--quiet", "--hard");
    const artifacts = {
      "accept.txt": said,
      "accept.patch": patch,
      "report.md": "<!-- pulumi-tracking -->\nThe report.\n",
    };
    // On GitHub they are in a folder of their own.
    const place = kind === "GitHub" ? ["night"] : [];
    await mkdir(join(folder, ...place), { recursive: true });
    for (const [name, text] of Object.entries(artifacts)) await writeFile(join(folder, ...place, name), text);
    const given = { ...env, ...host.env, GIT_TERMINAL_PROMPT: "0" };
    const { code, stdout, stderr } = await start(
      process.execPath,
      [join(EXAMPLE, "pull-request.mjs"), ...place],
      {
        cwd: folder,
        env: given,
      },
    ).finished;
    expect(stdout + stderr).not.toContain("token-of-ci");
    return code === 0 ? stdout.trim() : `${code}: ${stderr}`;
  }
  const show = (file: string, branch = "tracking/accept") => git(remote, "show", `${branch}:${file}`);
  const branches = async () => (await git(remote, "branch", "--format=%(refname:short)")).split("\n");
  const tip = () => git(remote, "rev-parse", "tracking/accept");
  await commit({ "tracking/sites.yaml": SITES });
  return { host, commit, night, show, branches, tip, git, remote };
}

it.each(["GitHub", "GitLab"] as const)(
  "proposes on %s what was accepted at night in one pull request: updates it, leaves it as it is if nothing has changed, and closes it",
  async (kind) => {
    const { host, commit, night, show, branches, tip } = await repository(kind);
    expect(await night({ "tracking/sites.yaml": PUBLIC, "tracking/new.yaml": "websites: {}\n" })).toMatch(
      /^Opened/,
    );
    expect(host.pulls.map(({ number, state }) => [number, state])).toEqual([[1, "open"]]);
    expect(host.pulls[0]?.body).toMatch(
      /^To keep these changes, merge this.*\n {4}tracking\/sites.yaml: changed\.\n.*The report\./s,
    );
    expect(await show("tracking/sites.yaml")).toBe(PUBLIC.trim());
    expect(await show("tracking/new.yaml")).toBe("websites: {}");

    // The same again, though somebody has changed another file: no push, no word.
    await commit({ "README.md": "# Sites\n" });
    const [before, writtenBefore] = [await tip(), host.written.length];
    await night({ "tracking/sites.yaml": PUBLIC, "tracking/new.yaml": "websites: {}\n" });
    expect([await tip(), host.written.length]).toEqual([before, writtenBefore]);

    // More: the same one has it.
    await night(
      { "tracking/sites.yaml": PUBLIC.replace("blog.example }", "blog.example, emailReports: true }") },
      "tracking/sites.yaml: changed.\nMore.\n",
    );
    expect(host.pulls.map(({ number, state }) => [number, state])).toEqual([[1, "open"]]);
    expect(host.pulls[0]?.body).toContain("    More.");
    expect(await show("tracking/sites.yaml")).toContain("emailReports");
    expect(await show("README.md")).toBe("# Sites");

    // Somebody has undone it in the web interface.
    expect(await night({}, "Nothing to accept.\n")).toMatch(/^Nothing is left to merge/);
    expect(host.pulls).toEqual([
      expect.objectContaining({ state: "closed", comments: [expect.stringMatching(/^Nothing is left/)] }),
    ]);
    expect(await branches()).toEqual(["main"]);
    const written = host.written.length;
    await night({}, "Nothing to accept.\n");
    expect(host.written).toHaveLength(written);

    // It is there again, and is news.
    await night({ "tracking/sites.yaml": PUBLIC });
    expect(host.pulls.map(({ state }) => state)).toEqual(["closed", "open"]);
  },
);

it("a person's no, a person's commit and a person's merge count", async () => {
  const { host, commit, night, show, tip, git, remote } = await repository("GitHub");
  await night({ "tracking/sites.yaml": PUBLIC });
  const [first] = host.pulls;
  // Closed without a merge: the same changes are no news, others are.
  Object.assign(first ?? {}, { state: "closed" });
  expect(await night({ "tracking/sites.yaml": PUBLIC })).toMatch(
    /^Somebody has closed 1 with the same changes/,
  );
  expect(host.pulls).toHaveLength(1);
  const more = PUBLIC.replace("blog.example }", "blog.example, privacy: public }");
  expect(await night({ "tracking/sites.yaml": more })).toMatch(/^Opened/);
  expect(host.pulls.map(({ state }) => state)).toEqual(["closed", "open"]);

  // Somebody adds what was left to a person.
  await commit({ "index.ts": "// by hand\n" }, "tracking/accept");
  const before = await tip();
  for (const state of ["closed", "open"] as const) {
    Object.assign(host.pulls[1] ?? {}, { state });
    expect(await night({ "tracking/sites.yaml": PUBLIC })).toMatch(
      /^Somebody has committed to tracking\/accept/,
    );
    expect(await tip()).toBe(before);
  }

  // Merged, and later somebody makes the same change again: twice, once after a merge of the script's own commit.
  for (const number of [2, 3]) {
    await git(remote, "update-ref", "refs/heads/main", "tracking/accept");
    Object.assign(host.pulls[number - 1] ?? {}, { state: "merged" });
    expect(await show("tracking/sites.yaml", "main")).toBe(more.trim());
    await commit({ "tracking/sites.yaml": SITES });
    expect(await night({ "tracking/sites.yaml": more })).toMatch(/^Opened/);
  }
  expect(host.pulls.map(({ state }) => state)).toEqual(["closed", "merged", "merged", "open"]);
});

it("leaves all as it is if the command has failed, says what the host says, and does nothing without a token", async () => {
  const { host, night, branches } = await repository("GitLab");
  await night({ "tracking/sites.yaml": PUBLIC });
  expect(await night({}, "")).toMatch(/^1: .*"pulumi-tracking accept" has failed/s);
  expect(host.pulls).toEqual([expect.objectContaining({ state: "open", comments: [] })]);
  expect(await branches()).toEqual(["main", "tracking/accept"]);
  host.env.GITLAB_TOKEN = "revoked";
  expect(await night({})).toMatch(/^1: .*GET http.*: 401 /s);
  delete host.env.GITLAB_TOKEN;
  expect(await night({})).toMatch(/^GITLAB_TOKEN is not set/);
});
