import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
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

/** A PATH where `pulumi` is this script, in a folder that is removed after the test. */
export async function fakePulumi(script: string): Promise<string> {
  const bin = await mkdtemp(join(tmpdir(), "fake-pulumi-"));
  onTestFinished(() => rm(bin, { recursive: true, force: true }));
  await writeFile(join(bin, "pulumi"), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, "pulumi"), 0o755);
  return [bin, dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter);
}
