import { groupsBy } from "../alike";
import { CommandFailure } from "../failure";
import { NoStack } from "../pulumi/explain-failure";
import { type Project, requireProject } from "../pulumi/project";
import { type Stack, settingsIn } from "../pulumi/stack";
import type { StackOptions } from "../stack-options";
import { heldRecords, providersIn } from "../stack-records";
import type { Finding, Severity } from "./report";
import { type Connection, connect, type ReadStack } from "./settings";

/** Opens a stack by its name; without one, the selected stack. */
export type OpenStack = (name?: string) => Stack;

/** Reads stacks, and what their providers are connected to; without a stack, the environment's settings. */
export async function readAll(wanted: StackOptions, folder: string, open: OpenStack) {
  const environment = connect(undefined);
  const { project, stacks, found } = await readStacks(wanted, folder, environment.isUsed, open);
  // What a stack that could not be read uses and holds is unknown.
  const isRead = found.every(({ severity }) => severity !== "error");
  const connected = stacks.length > 0 ? stacks.map(connect) : isRead ? [environment] : [];
  const settingFindings = connected.flatMap((each) => each.found);
  const connections = merged(connected.flatMap((each) => each.connections));
  return { project, stacks, found, isRead, settingFindings, connections };
}

/** Reads stacks, and reports which can't be read. */
async function readStacks(
  { stacks: names, allStacks }: StackOptions,
  folder: string,
  hasEnvironment: boolean,
  open: OpenStack,
): Promise<{ project: Project | undefined; stacks: ReadStack[]; found: Finding[] }> {
  const stacks: ReadStack[] = [];
  const found: Finding[] = [];
  let project: Project | undefined;
  try {
    project = await requireProject(folder);
    const wanted = allStacks ? await open().names() : (names ?? [await open().ownName()]);
    if (wanted.length === 0)
      throw new NoStack("The project has no stack", 'Create one with "pulumi stack init"');
    for (const name of new Set(wanted)) {
      const unknown = `Stack ${name} can't be read, so its settings and records are unknown. `;
      const unreadable = failed(found, "error", "stack-unreadable", [name], unknown);
      await readStack(name, project, open).then((read) => void stacks.push(read), unreadable);
    }
  } catch (error) {
    const isMissing = error instanceof NoStack;
    const code = isMissing ? "no-stack" : "stack-unreadable";
    // If nobody named a stack, and the environment has settings, that is no error.
    const isAlone = isMissing && !allStacks && names === undefined && hasEnvironment;
    const before = isAlone ? "The settings are those of the environment. " : "";
    failed(found, isAlone ? "info" : "error", code, [], before)(error);
  }
  return { project, stacks, found };
}

/** Reads a stack. The config of another project is in a file that is not here, but its state has that of its last `up`. */
async function readStack(name: string, project: Project, open: OpenStack): Promise<ReadStack> {
  const stack = open(name);
  const [, owner, ...rest] = name.split("/");
  const isForeign = rest.length > 0 && owner !== project.name;
  const config = isForeign ? {} : await stack.config();
  const deployment = await stack.deployment();
  const settings = isForeign ? providersIn(deployment).own : settingsIn(config);
  const records = heldRecords(deployment, settings, name);
  return { name, stack, config, settings, deployment, records, isForeign };
}

/** Reports a failed command; any other error is thrown again. */
export function failed(found: Finding[], severity: Severity, code: string, stacks: string[], before = "") {
  return (error: unknown): undefined => {
    if (!(error instanceof CommandFailure)) throw error;
    found.push({ severity, code, stacks, message: before + error.problem, remedy: error.remedy });
  };
}

/** The connections, each key of a service once. */
function merged(connections: readonly Connection[]): Connection[] {
  const groups = groupsBy(connections, ({ endpoint }) => `${endpoint.service} ${endpoint.account}`);
  return groups.map((group) => ({
    endpoint: group[0].endpoint,
    stacks: [...new Set(group.flatMap(({ stacks }) => stacks))],
    records: group.flatMap(({ records }) => records),
  }));
}
