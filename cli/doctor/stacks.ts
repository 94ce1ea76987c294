import { CommandFailure } from "../failure";
import { failureFor, NoStack, PulumiFailure } from "../pulumi/failure";
import type { Config, Deployment } from "../pulumi/json-output";
import { Stack } from "../pulumi/stack";
import type { Finding } from "./finding";
import type { Extent } from "./records";

/** Which stacks are wanted: the selected one, these, or all of the project. */
export type StackSelection = { readonly names?: readonly string[]; readonly all?: boolean };

/** A stack's config and state, secrets opened. */
export interface ReadStack {
  readonly name: string;
  readonly config: Config;
  readonly deployment: Deployment;
}

/** What was read of the project's stacks, and what could not be. */
export interface ReadStacks {
  readonly stacks: readonly ReadStack[];
  readonly extent: Extent;
  readonly findings: readonly Finding[];
  /** Nothing of the stack could be read: what its config would have is not missing. */
  readonly isBlind: boolean;
}

/** Makes the way to a stack; tests put another in. */
export type OpenStack = (name?: string) => Stack;

/**
 * Reads the stacks that are wanted. One that can't be read is a finding.
 *
 * @param alone whether the environment has settings of its own, so that a stack need not be there
 */
export async function readStacks(
  { names, all = false }: StackSelection,
  { project, alone, open = (name) => new Stack(name) }: Place,
): Promise<ReadStacks> {
  const asked = all || names !== undefined;
  let wanted: readonly string[];
  try {
    // Outside of a project the engine is not asked: it may want a login first, which nobody needs here.
    if (project === undefined) throw failureFor("no-project");
    wanted = names ?? (all ? await open().names() : [await open().ownName()]);
    if (wanted.length === 0)
      throw new NoStack("no-stack", "The project has no stack", 'Make one with "pulumi stack init".');
  } catch (error) {
    const finding = missing(error, project, alone && !asked);
    return { stacks: [], extent: "none", findings: [finding], isBlind: finding.severity === "error" };
  }
  const stacks: ReadStack[] = [];
  const findings: Finding[] = [];
  for (const name of new Set(wanted))
    try {
      stacks.push(await readStack(name, open(name)));
    } catch (error) {
      findings.push(unreadable(name, error));
    }
  const isBlind = stacks.length === 0;
  const extent = all && findings.length === 0 ? "all" : "some";
  return { stacks, extent: isBlind ? "none" : extent, findings, isBlind };
}

/** Where stacks are looked for. */
interface Place {
  /** The project's folder, if there is one. */
  readonly project: string | undefined;
  readonly alone: boolean;
  readonly open?: OpenStack | undefined;
}

async function readStack(name: string, stack: Stack): Promise<ReadStack> {
  return { name, config: await stack.config(), deployment: await stack.deployment({ secrets: true }) };
}

/** No stack to read. Where the environment has all settings, that may be as it should be; else it is the root cause. */
function missing(error: unknown, project: string | undefined, alone: boolean): Finding {
  if (!(error instanceof CommandFailure)) throw error;
  const cause = error instanceof PulumiFailure ? error.rootCause : undefined;
  const isOrdinary = cause === "no-project" || cause === "no-stack";
  const ordinary = project === undefined ? "info" : "warning";
  const { message, remedy } = toMessage(error);
  return {
    topic: "project",
    severity: alone && isOrdinary ? ordinary : "error",
    code:
      cause === "no-pulumi" ? "pulumi-missing" : error instanceof NoStack ? "no-stack" : "stack-unreadable",
    stacks: [],
    message: alone && isOrdinary ? `${message}; the settings are those of the environment` : message,
    ...(remedy !== undefined && { remedy }),
  };
}

function unreadable(name: string, error: unknown): Finding {
  if (!(error instanceof CommandFailure)) throw error;
  const { message, remedy } = toMessage(error);
  return {
    topic: "project",
    severity: "error",
    code: "stack-unreadable",
    stacks: [name],
    message: `stack ${name} can't be read: ${message}`,
    ...(remedy !== undefined && { remedy }),
  };
}

/** A failure as a finding says it. */
function toMessage(error: CommandFailure): { message: string; remedy?: string } {
  if (!(error instanceof PulumiFailure)) return { message: error.message.replace(/\.$/, "") };
  const { problem, remedy } = error;
  const message = problem.replace(/^(The|There|No) /, (word) => word.toLowerCase());
  return { message, remedy: remedy.charAt(0).toLowerCase() + remedy.slice(1).replace(/\.$/, "") };
}
