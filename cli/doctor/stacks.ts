import { CommandFailure } from "../failure";
import { NoStack, PulumiFailure } from "../pulumi/failure";
import type { Config, Deployment } from "../pulumi/json-output";
import { requireProject } from "../pulumi/project";
import type { Stack } from "../pulumi/stack";
import { type Finding, finding } from "./report";

/** Which stacks to read: the selected one, these, or all of the project. */
export type StackSelection = { readonly names?: readonly string[]; readonly all?: boolean };

/** A stack's config and state, secrets opened. */
export interface ReadStack {
  readonly name: string;
  readonly stack: Stack;
  readonly config: Config;
  readonly deployment: Deployment;
}

/** Opens a stack; tests replace it. */
export type OpenStack = (name?: string) => Stack;

/** Reads the selected stacks. One that can't be read is a finding. */
export async function readStacks(
  { names, all }: StackSelection,
  /** `alone`: without a stack, the environment has settings of its own. */
  { project, alone, open }: { project: string | undefined; alone: boolean; open: OpenStack },
): Promise<{ readonly stacks: readonly ReadStack[]; readonly findings: readonly Finding[] }> {
  const stacks: ReadStack[] = [];
  const findings: Finding[] = [];
  try {
    requireProject(project);
    const found = names ?? (all ? await open().names() : [await open().ownName()]);
    if (found.length === 0)
      throw new NoStack("no-stack", "The project has no stack", 'Create one with "pulumi stack init"');
    for (const name of new Set(found))
      try {
        const [stack, config] = [open(name), await open(name).config()];
        stacks.push({ name, stack, config, deployment: await stack.deployment({ secrets: true }) });
      } catch (error) {
        const { problem, remedy } = asFailure(error);
        const message = `Stack ${name} can't be read, so its settings and records are unknown. ${problem}`;
        findings.push(finding("error", "stack-unreadable", { stacks: [name] }, message, remedy));
      }
  } catch (error) {
    const { problem, remedy } = asFailure(error);
    const cause = error instanceof PulumiFailure ? error.rootCause : undefined;
    const isEnough = alone && !all && names === undefined && (cause === "no-project" || cause === "no-stack");
    const severity = !isEnough ? "error" : project === undefined ? "info" : "warning";
    const code = error instanceof NoStack ? "no-stack" : "stack-unreadable";
    const message = isEnough ? `${problem}; the settings are those of the environment` : problem;
    findings.push(
      finding(severity, cause === "no-pulumi" ? "pulumi-missing" : code, { stacks: [] }, message, remedy),
    );
  }
  return { stacks, findings };
}

function asFailure(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) return error;
  throw error;
}
