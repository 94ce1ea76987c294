import { join } from "node:path";
import { type Running, start } from "../../tools/child.mjs";
import type { Harness } from "./harness";

/** How the installed `pulumi-tracking` is started; `env` is added to the project's own, `show` gets what it prints. */
interface Starting {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  group?: boolean;
  show?: (text: string) => void;
}

/** Starts the installed `pulumi-tracking import`. */
export function importing(world: Harness, args: readonly string[], starting?: Starting): Running {
  return installed(world, ["import", ...args], starting);
}

/** Starts the installed `pulumi-tracking`. */
export function installed(
  { project }: Harness,
  args: readonly string[],
  { env = {}, cwd = project.folder, group = false, show }: Starting = {},
): Running {
  const command = join(project.folder, "node_modules", "pulumi-tracking", "dist", "cli", "main.js");
  return start(process.execPath, [command, ...args], { cwd, env: { ...project.env, ...env }, group, show });
}
