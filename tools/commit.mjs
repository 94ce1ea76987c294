import { run } from "./child.mjs";
import { ROOT } from "./root.mjs";

/** The commit that is tested or measured, with a mark where files differ from it. */
export async function commitOf() {
  const { stdout } = await run("git", ["describe", "--always", "--dirty=, changed"], { cwd: ROOT });
  return stdout.trim();
}
