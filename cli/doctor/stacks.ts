import { CommandFailure } from "../failure";
import type { Config, Deployment } from "../pulumi/answers";
import { failureOf, NoStack } from "../pulumi/cause";
import { Stack } from "../pulumi/stack";
import type { Finding } from "./finding";
import type { Extent } from "./records";

/** Which stacks are wanted: the selected one, these, or all of the project. */
export type Wanted = { readonly names?: readonly string[]; readonly all?: boolean };

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
}

/** Makes the way to a stack; tests put another in. */
export type OpenStack = (name?: string) => Stack;

/** Reads the stacks that are wanted. One that can't be read is a finding. */
export async function readStacks(
  { names, all = false }: Wanted,
  project: string | undefined,
  open: OpenStack = (name) => new Stack(name),
): Promise<ReadStacks> {
  let wanted: readonly string[];
  try {
    // Outside of a project the engine is not asked: it may want a login first, which nobody needs here.
    if (project === undefined) throw failureOf("no-project");
    wanted = names ?? (all ? await open().names() : [await open().ownName()]);
  } catch (error) {
    return { stacks: [], extent: "none", findings: [none(error, project, all || names !== undefined)] };
  }
  const stacks: ReadStack[] = [];
  const findings: Finding[] = [];
  for (const name of new Set(wanted))
    try {
      stacks.push(await readStack(name, open(name)));
    } catch (error) {
      findings.push(unreadable(name, error));
    }
  if (all && wanted.length === 0)
    findings.push(
      none(
        new NoStack("no-stack", "The project has no stack", 'Make one with "pulumi stack init".'),
        project,
        false,
      ),
    );
  const extent = all && findings.length === 0 ? "all" : "some";
  return { stacks, extent: stacks.length === 0 ? "none" : extent, findings };
}

async function readStack(name: string, stack: Stack): Promise<ReadStack> {
  return { name, config: await stack.config(), deployment: await stack.deployment({ secrets: true }) };
}

/** No stack to read: then the environment alone counts, which is as it should be outside of a project. */
function none(error: unknown, project: string | undefined, asked: boolean): Finding {
  if (!(error instanceof CommandFailure)) throw error;
  const ordinary = error instanceof NoStack;
  return {
    topic: "state",
    severity: !ordinary || asked ? "error" : project === undefined ? "info" : "warning",
    code: ordinary ? "no-stack" : "stack-unreadable",
    stacks: [],
    seen: `no stack is read, and the environment alone counts: ${sentence(error)}`,
  };
}

function unreadable(name: string, error: unknown): Finding {
  if (!(error instanceof CommandFailure)) throw error;
  return {
    topic: "state",
    severity: "error",
    code: "stack-unreadable",
    stacks: [name],
    seen: `the stack ${name} can't be read: ${sentence(error)}`,
  };
}

/** The failure's sentences, the last without its full stop. */
function sentence({ message }: Error): string {
  return message.replace(/\.$/, "");
}
