import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { documentOf } from "../../bench/document.mjs";
import { Figures } from "../../bench/figures.mjs";
import { run } from "../../tools/child.mjs";
import { commitOf } from "../../tools/commit.mjs";
import { measuredCode, whyNotMeasured } from "../../tools/measured-code.mjs";
import { ran } from "../bench/runs";

/** A page as the bench writes it, measured with this commit. */
function pageOf(commit: string): string {
  const machine = [
    ["Node.js", "20.0.0"],
    ["this package", `0.1.0, commit ${commit}`],
  ] as const;
  const figures = new Figures([ran()]);
  return documentOf({ figures, states: [] }, { machine, command: "npm run bench" });
}

/** A repository with one commit. */
async function repository() {
  const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-measured-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const git = async (...args: string[]) => {
    const author = ["-c", "user.name=N", "-c", "user.email=n@example.com", "-c", "commit.gpgsign=false"];
    return (await run("git", [...author, ...args], { cwd: folder })).stdout.trim();
  };
  const commit = async (file: string, text: string) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
    await git("add", "--all");
    await git("commit", "--quiet", "--message", file);
    return git("rev-parse", "--short", "HEAD");
  };
  await git("init", "--quiet");
  return { folder, git, commit };
}

describe("the code that a page was measured with", () => {
  it("is the commit that the bench writes, and whether files differed from it", () => {
    expect(measuredCode(pageOf("0798d31"))).toEqual({ commit: "0798d31", changed: false });
    expect(measuredCode(pageOf("v0.1.0-3-g0798d31"))).toMatchObject({ commit: "v0.1.0-3-g0798d31" });
    expect(measuredCode(pageOf("0798d31, changed"))).toEqual({ commit: "0798d31", changed: true });
  });

  it("is unknown where the page names none", () => {
    expect(measuredCode("| this package | 0.1.0 |")).toBeUndefined();
  });

  it("is named in the form in which the bench asks for it", async ({ skip }) => {
    const commit = await commitOf().catch(() => skip("this is no clone"));
    expect(measuredCode(pageOf(commit))?.commit).toBe(commit.split(",")[0]);
  });
});

describe("figures", () => {
  it("are of this code as long as neither it nor what measures it has changed", async () => {
    const { folder, commit } = await repository();
    const measured = await commit("provider/session.ts", "1");
    await commit("docs/guide.md", "words");
    await commit("test/provider/session.test.ts", "2");
    expect(await whyNotMeasured(pageOf(measured), folder)).toBeUndefined();
  });

  it.each(["provider/session.ts", "sdk/index.ts", "bench/main.mjs"])(
    "are of other code once %s has changed, which is said with what to do",
    async (file) => {
      const { folder, commit } = await repository();
      const measured = await commit(file, "1");
      await commit(file, "2");
      const problem = await whyNotMeasured(pageOf(measured), folder);
      expect(problem).toContain(`was measured with commit ${measured}; since then ${file} changed`);
      expect(problem).toContain('run "npm run bench -- --write"');
    },
  );

  it("are of no known code where the page names no commit, one with changes, or one that is not there", async () => {
    const { folder, commit } = await repository();
    const measured = await commit("provider/session.ts", "1");
    const page = pageOf(measured);
    expect(await whyNotMeasured(page.replace(/, commit \w+/, ""), folder)).toContain(
      "does not say which commit",
    );
    expect(await whyNotMeasured(pageOf(`${measured}, changed`), folder)).toContain("not in commit");
    expect(await whyNotMeasured(pageOf("1234567"), folder)).toContain("fetch the whole history");
  });
});

describe("docs/performance.md", () => {
  let page: string;
  beforeAll(async () => {
    page = await readFile("docs/performance.md", "utf8");
  });

  it("was measured with a commit that this one comes from", async ({ skip }) => {
    const { commit, changed } = measuredCode(page) ?? skip("the page is from before it named its commit");
    expect(changed).toBe(false);
    const known = await run("git", ["cat-file", "-e", `${commit}^{commit}`]).catch(() => undefined);
    if (known === undefined) skip(`this clone does not have ${commit}`);
    await run("git", ["merge-base", "--is-ancestor", commit, "HEAD"]);
  });
});
