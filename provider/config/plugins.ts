import { readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** The folder in which the engine keeps the plugins of this user. */
export function pluginCache(env: NodeJS.ProcessEnv = process.env): string {
  return join(env.PULUMI_HOME || join(homedir(), ".pulumi"), "plugins");
}

/** The folders in which the engine looks for a plugin that no project's file names. */
export function pluginFolders(env: NodeJS.ProcessEnv = process.env): string[] {
  return [pluginCache(env), ...(env.PATH ?? "").split(delimiter)];
}

/** Whether a folder has our plugin. One that can't be read shows none. */
export function hasPlugin(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => /^(pulumi-)?resource-tracking/.test(name));
  } catch {
    return false;
  }
}
