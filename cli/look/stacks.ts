import type { SettingsSource } from "../../provider/config";
import { CommandFailure } from "../failure";
import { NoStack } from "../pulumi/explain-failure";
import type { Config, Deployment } from "../pulumi/json-output";
import { type Project, requireProject } from "../pulumi/project";
import { type Stack, settingsIn } from "../pulumi/stack";
import type { StackOptions } from "../stack-options";
import { type HeldRecord, heldRecords, providersIn } from "./held";

/** Opens a stack by its name; without one, the selected stack. */
export type OpenStack = (name?: string) => Stack;

/** A stack's config and state, secrets opened. */
export interface ReadStack {
  readonly name: string;
  readonly stack: Stack;
  readonly config: Config;
  /** The settings of its own provider. */
  readonly settings: SettingsSource;
  readonly deployment: Deployment;
  readonly records: readonly HeldRecord[];
}

/** A stack that can't be read, or the reason why none can. */
export interface UnreadStack {
  /** Its name, if it is known. */
  readonly stack?: string;
  readonly failure: CommandFailure;
}

/** Reads a stack. That of another project has its config in a file elsewhere; its state has what its last `up` used. */
async function readStack(name: string, project: Project, open: OpenStack): Promise<ReadStack> {
  const stack = open(name);
  const [, owner, ...rest] = name.split("/");
  const isForeign = rest.length > 0 && owner !== project.name;
  const config = isForeign ? {} : await stack.config();
  const deployment = await stack.deployment();
  const settings = isForeign
    ? { ...providersIn(deployment).own, stack: { name, isForeign } }
    : settingsIn(config, { name, isForeign });
  const records = heldRecords(deployment, settings, name);
  return { name, stack, config, settings, deployment, records };
}

/** Reads the stacks that are wanted. Those that can't be read are in `unreadStacks`. */
export async function readStacks(
  { stacks: names, allStacks }: StackOptions,
  folder: string,
  open: OpenStack,
): Promise<{ stacks: ReadStack[]; unreadStacks: UnreadStack[] }> {
  const stacks: ReadStack[] = [];
  const unreadStacks: UnreadStack[] = [];
  const reportAs = (stack?: string) => (failure: unknown) => {
    if (!(failure instanceof CommandFailure)) throw failure;
    const what = `Stack ${stack} can't be read, so its settings and records are unknown`;
    if (stack === undefined) unreadStacks.push({ failure });
    else
      unreadStacks.push({ stack, failure: new CommandFailure(`${what}. ${failure.title}`, failure.advice) });
  };
  try {
    const project = await requireProject(folder);
    const toRead = allStacks ? await open().names() : (names ?? [await open().ownName()]);
    if (toRead.length === 0)
      throw new NoStack("The project has no stack", 'Create one with "pulumi stack init"');
    for (const name of new Set(toRead))
      await readStack(name, project, open).then((read) => void stacks.push(read), reportAs(name));
  } catch (error) {
    reportAs()(error);
  }
  return { stacks, unreadStacks };
}

/** Reads a stack's state again. */
export async function readAgain(read: ReadStack): Promise<ReadStack> {
  const deployment = await read.stack.deployment();
  return { ...read, deployment, records: heldRecords(deployment, read.settings, read.name) };
}
