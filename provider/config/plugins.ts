import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** The folders in which the engine looks for a plugin that the project's file does not name. */
export function pluginFolders(env: NodeJS.ProcessEnv = process.env): string[] {
  const home = env.PULUMI_HOME || join(homedir(), ".pulumi");
  return [join(home, "plugins"), ...(env.PATH ?? "").split(delimiter)];
}
