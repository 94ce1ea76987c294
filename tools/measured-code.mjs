import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { start } from "./child.mjs";
import { ROOT } from "./root.mjs";
import { runIfMain } from "./run-if-main.mjs";

/** The page with the figures, below the project's folder. */
const PAGE = "docs/performance.md";
/** What makes a difference to them: the code that is measured, and what measures it. */
const MEASURED = ["provider", "sdk", "bench"];
const COMMAND = "npm run bench -- --write";

/**
 * The code that a performance page was measured with, or nothing where it names no commit.
 *
 * @param {string} page its text
 * @returns {{ commit: string, changed: boolean } | undefined} `changed`: files differed from that commit
 */
export function measuredCode(page) {
  const [, commit, changed] = /^\| this package \| .*\bcommit ([\w.-]+)(, changed)? \|$/m.exec(page) ?? [];
  return commit === undefined ? undefined : { commit, changed: changed !== undefined };
}

/**
 * Why a page's figures are not those of the code in a clone, or nothing where they are.
 *
 * @param {string} page its text
 * @param {string} clone a folder with the whole history
 * @returns {Promise<string | undefined>}
 */
export async function whyNotMeasured(page, clone) {
  const code = measuredCode(page);
  const remedy = `run "${COMMAND}" with the code to release, and commit ${PAGE}`;
  if (code === undefined) return `${PAGE} does not say which commit was measured; ${remedy}`;
  const { commit, changed } = code;
  if (changed) return `${PAGE} was measured with code that is not in commit ${commit}; ${remedy}`;
  /** @param {string[]} args */
  const git = (...args) => start("git", args, { cwd: clone }).finished;
  const isKnown = (await git("rev-parse", "--verify", "--quiet", `${commit}^{commit}`)).code === 0;
  if (!isKnown)
    return `${PAGE} was measured with commit ${commit}, which this clone does not have; fetch the whole history, or ${remedy}`;
  const { stdout } = await git("diff", "--name-only", commit, "HEAD", "--", ...MEASURED);
  const files = stdout.split("\n").filter(Boolean);
  if (files.length === 0) return undefined;
  const more = files.length > 3 ? ` and ${files.length - 3} more` : "";
  return `${PAGE} was measured with commit ${commit}; since then ${files.slice(0, 3).join(", ")}${more} changed; ${remedy}`;
}

const USAGE = `node tools/measured-code.mjs

Ends with an error unless the figures in ${PAGE} were measured with the code of this commit.`;

await runIfMain(
  import.meta.url,
  async () => {
    const problem = await whyNotMeasured(await readFile(join(ROOT, PAGE), "utf8"), ROOT);
    if (problem !== undefined) throw new Error(problem);
  },
  USAGE,
);
