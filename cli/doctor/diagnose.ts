import type { Logger } from "../../provider/api/client";
import { groupsBy } from "../alike";
import { CommandFailure } from "../failure";
import { ownVersion } from "../manifest";
import { NoStack } from "../pulumi/explain-failure";
import { previewProgram } from "../pulumi/preview";
import { type Project, requireProject } from "../pulumi/project";
import { Stack, settingsIn } from "../pulumi/stack";
import { findRenamed } from "../renamed";
import { heldRecords, holders, placeOf, providersIn } from "../stack-records";
import { renamedFinding, unmanagedFinding, versionFindings } from "./declarations";
import { type Finding, type Report, report, type Severity } from "./report";
import { type ListedRecord, serviceFindings } from "./service";
import { type Connection, configFindings, connect, type ReadStack } from "./settings";
import { managedTwice, pendingOperations } from "./state";

/** What to check. */
export interface Selection {
  /** The names of the stacks; by default the selected one. */
  readonly stacks?: readonly string[] | "all" | undefined;
  /** Whether a record with this domain or name may be in no stack; if given, each other one is a warning. */
  readonly ignores?: ((key: string) => boolean) | undefined;
}

/** Opens a stack by its name; without one, the selected stack. */
type Open = (name?: string) => Stack;

/**
 * Checks everything and changes nothing.
 *
 * @param folder the folder that the command runs in
 */
export async function diagnose(
  { stacks: wanted, ignores }: Selection,
  folder: string,
  logger: Logger,
  open: Open = (name) => new Stack(name),
): Promise<Report> {
  const environment = connect(undefined);
  const { project, stacks, found } = await readStacks(wanted, folder, environment.isUsed, open);
  const hasError = () => found.some(({ severity }) => severity === "error");
  // What a stack that could not be read uses and holds is unknown.
  const isRead = !hasError();
  const connected = stacks.length > 0 ? stacks.map(connect) : isRead ? [environment] : [];
  const connections = merged(connected.flatMap((each) => each.connections));
  const answers = await Promise.all(connections.map((each) => serviceFindings(each, logger, ignores)));
  const held = stacks.flatMap(({ records }) => records);
  const differing = new Set(answers.flatMap((each) => each.differing));
  const tooOld = failed(found, "warning", "pulumi-version", []);
  if (stacks.length > 0) await open().requireImportSupport().catch(tooOld);
  found.push(
    ...stacks.flatMap(configFindings),
    ...connected.flatMap((each) => each.found),
    ...stacks.flatMap(({ name, deployment }) => pendingOperations(name, deployment)),
    ...managedTwice(held.filter((each) => !each.isLeaving && !differing.has(each))),
    ...answers.flatMap((each) => each.found),
  );
  // A preview tells something only if all that it needs works.
  if (project !== undefined && !hasError())
    for (const { name, stack, records } of stacks.filter(({ isForeign }) => !isForeign)) {
      const unknown = "The program can't be previewed, so what it declares is unknown: ";
      const failure = failed(found, "error", "program-failed", [name], unknown);
      const preview = await previewProgram(stack).catch(failure);
      if (preview === undefined) continue;
      found.push(...versionFindings(preview, project));
      found.push(...findRenamed(records, preview).map(renamedFinding));
    }
  const known = holders(held);
  const listed = stacks.length === 0 ? [] : answers.flatMap((each) => each.listed);
  const isUnmanaged = (each: ListedRecord) => !known.has(placeOf(each.resource, each.baseUrl, each.id));
  const severity = ignores && isRead ? "warning" : "info";
  found.push(...listed.filter(isUnmanaged).map((each) => unmanagedFinding(each, severity)));
  const names = stacks.map(({ name }) => name);
  return report(ownVersion(), names, found);
}

/** Reads stacks, and reports which can't be read. */
async function readStacks(
  selection: Selection["stacks"],
  folder: string,
  hasEnvironment: boolean,
  open: Open,
): Promise<{ project: Project | undefined; stacks: ReadStack[]; found: Finding[] }> {
  const stacks: ReadStack[] = [];
  const found: Finding[] = [];
  let project: Project | undefined;
  try {
    project = await requireProject(folder);
    const wanted = selection === "all" ? await open().names() : (selection ?? [await open().ownName()]);
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
    const isAlone = isMissing && selection === undefined && hasEnvironment;
    const before = isAlone ? "The settings are those of the environment. " : "";
    failed(found, isAlone ? "info" : "error", code, [], before)(error);
  }
  return { project, stacks, found };
}

/** Reads a stack. The config of another project is in a file that is not here, but its state has that of its last `up`. */
async function readStack(name: string, project: Project, open: Open): Promise<ReadStack> {
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
function failed(found: Finding[], severity: Severity, code: string, stacks: string[], before = "") {
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
