import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** Whether the engine finds our plugin where no project's file names it: in its own folder, or in one of PATH. */
export function findsPlugin(env: NodeJS.ProcessEnv = process.env): boolean {
  const cache = join(env.PULUMI_HOME || join(homedir(), ".pulumi"), "plugins");
  return [cache, ...(env.PATH ?? "").split(delimiter)].some((folder) => {
    try {
      return readdirSync(folder).some((name) => /^(pulumi-)?resource-tracking/.test(name));
    } catch {
      // One that can't be read shows none.
      return false;
    }
  });
}
