import { CommandFailure } from "../failure";
import { NoStack, Stack } from "../stack";
import type { Finding } from "./finding";
import type { Extent } from "./records";
import type { Config } from "./setup";
import type { Deployment } from "./state";

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
    if (project === undefined)
      throw new NoStack(
        "There is no Pulumi project in this folder",
        "Run this in the folder of Pulumi.yaml.",
      );
    wanted = names ?? (await (all ? everyName(open()) : selectedName(open())));
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
      none(new NoStack("The project has no stack", 'Make one with "pulumi stack init".'), project, false),
    );
  const extent = all && findings.length === 0 ? "all" : "some";
  return { stacks, extent: stacks.length === 0 ? "none" : extent, findings };
}

async function selectedName(stack: Stack): Promise<string[]> {
  return [(await stack.must(["stack", "--show-name"])).stdout.trim()];
}

async function everyName(stack: Stack): Promise<string[]> {
  const listed = JSON.parse((await stack.must(["stack", "ls", "--json"])).stdout) as { name: string }[];
  return listed.map(({ name }) => name);
}

async function readStack(name: string, stack: Stack): Promise<ReadStack> {
  const config = JSON.parse((await stack.must(["config", "--json", "--show-secrets"])).stdout) as Config;
  const exported = JSON.parse((await stack.must(["stack", "export", "--show-secrets"])).stdout) as {
    deployment?: Deployment | null;
  };
  return { name, config, deployment: exported.deployment ?? {} };
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
