import { CommandFailure } from "../failure";
import { NoStack, PulumiFailure } from "../pulumi/failure";
import type { Config, Deployment } from "../pulumi/json-output";
import { requireProject } from "../pulumi/project";
import { Stack } from "../pulumi/stack";
import { type Finding, finding } from "./finding";

/** Which stacks to read: the selected one, these, or all of the project. */
export type StackSelection = { readonly names?: readonly string[]; readonly all?: boolean };

/** How many stacks were read: none, so that nothing counts as unmanaged; some; or all of the project. */
export type StacksRead = "none" | "some" | "all";

/** A stack's config and state, secrets opened. */
export interface ReadStack {
  readonly name: string;
  readonly config: Config;
  readonly deployment: Deployment;
}

/** The project's stacks, and what could not be read of them. */
export interface ReadStacks {
  readonly stacks: readonly ReadStack[];
  readonly read: StacksRead;
  readonly findings: readonly Finding[];
  /** No stack could be read: a setting that is not found is not a missing one. */
  readonly isBlind: boolean;
}

/** Opens a stack; tests replace it. */
export type OpenStack = (name?: string) => Stack;

/** Where stacks are looked for. */
interface Place {
  /** The project's folder, if there is one. */
  readonly project: string | undefined;
  /** The environment has settings of its own, so a stack is not required. */
  readonly alone: boolean;
  readonly open?: OpenStack | undefined;
}

/** Reads the selected stacks. One that can't be read is a finding. */
export async function readStacks(
  selection: StackSelection,
  { project, alone, open = (name) => new Stack(name) }: Place,
): Promise<ReadStacks> {
  let names: readonly string[];
  try {
    requireProject(project);
    names = await namesOf(selection, open);
  } catch (error) {
    const isOptional = alone && !selection.all && selection.names === undefined;
    const found = noStackFinding(error, project, isOptional);
    return { stacks: [], read: "none", findings: [found], isBlind: found.severity === "error" };
  }
  const stacks: ReadStack[] = [];
  const findings: Finding[] = [];
  for (const name of new Set(names))
    try {
      stacks.push(await readStack(name, open(name)));
    } catch (error) {
      findings.push(unreadable(name, error));
    }
  const isBlind = stacks.length === 0;
  const read = selection.all && findings.length === 0 ? "all" : "some";
  return { stacks, read: isBlind ? "none" : read, findings, isBlind };
}

async function namesOf({ names, all }: StackSelection, open: OpenStack): Promise<readonly string[]> {
  const found = names ?? (all ? await open().names() : [await open().ownName()]);
  if (found.length > 0) return found;
  throw new NoStack("no-stack", "The project has no stack", 'Create one with "pulumi stack init"');
}

async function readStack(name: string, stack: Stack): Promise<ReadStack> {
  return { name, config: await stack.config(), deployment: await stack.deployment({ secrets: true }) };
}

/** Without a stack, the environment's settings may be enough; else this is the root cause. */
function noStackFinding(error: unknown, project: string | undefined, isOptional: boolean): Finding {
  if (!(error instanceof CommandFailure)) throw error;
  const { problem, remedy } = error;
  const cause = error instanceof PulumiFailure ? error.rootCause : undefined;
  const code = error instanceof NoStack ? "no-stack" : "stack-unreadable";
  if (isOptional && (cause === "no-project" || cause === "no-stack"))
    return finding(
      project === undefined ? "info" : "warning",
      code,
      { stacks: [] },
      `${problem}; the settings are those of the environment`,
      remedy,
    );
  return finding("error", cause === "no-pulumi" ? "pulumi-missing" : code, { stacks: [] }, problem, remedy);
}

function unreadable(name: string, error: unknown): Finding {
  if (!(error instanceof CommandFailure)) throw error;
  const message = `Stack ${name} can't be read. ${error.problem}`;
  return finding("error", "stack-unreadable", { stacks: [name] }, message, error.remedy);
}
