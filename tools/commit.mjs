import { run } from "./child.mjs";
import { ROOT } from "./root.mjs";

/** What is no code: the pages that the commands which ask for the commit write themselves. */
const PAGES = ":(exclude)docs";

/** The commit that is tested or measured, with a mark where the code differs from it. */
export async function commitOf() {
  /** @param {string[]} args */
  const git = async (...args) => (await run("git", args, { cwd: ROOT })).stdout.trim();
  const commit = await git("describe", "--always");
  const differs = await git("status", "--porcelain", "--", ".", PAGES);
  return differs === "" ? commit : `${commit}, changed`;
}
