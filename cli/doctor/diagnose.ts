import type { Logger } from "../../provider/api/client";
import { CommandFailure } from "../failure";
import { ownVersion } from "../manifest";
import { NoStack } from "../pulumi/explain-failure";
import { programFiles } from "../pulumi/main-file";
import { type Planned, previewProgram } from "../pulumi/preview";
import { type Project, requireProject } from "../pulumi/project";
import { Stack, settingsIn } from "../pulumi/stack";
import { heldRecords, holderOf } from "../stack-records";
import { pluginFindings, undeclaredFindings, unmanagedFinding } from "./declarations";
import { type Finding, type Report, report, type Severity } from "./report";
import { serviceFindings } from "./service";
import { type Connection, configFindings, connect, type ReadStack } from "./settings";
import { groupsBy, managedTwice, pendingOperations } from "./state";

/**
 * Checks everything and changes nothing.
 *
 * @param selection the stacks to read; by default the selected one
 * @param folder the folder that the command runs in
 */
export async function diagnose(
  selection: readonly string[] | "all" | undefined,
  folder: string,
  logger: Logger,
  open = (name?: string) => new Stack(name),
): Promise<Report> {
  const stacks: ReadStack[] = [];
  const found: Finding[] = [];
  const hasError = () => found.some(({ severity }) => severity === "error");
  const environment = connect(undefined);
  let project: Project | undefined;
  try {
    project = await requireProject(folder);
    const wanted = selection === "all" ? await open().names() : (selection ?? [await open().ownName()]);
    if (wanted.length === 0)
      throw new NoStack("The project has no stack", 'Create one with "pulumi stack init"');
    for (const name of new Set(wanted))
      try {
        const stack = open(name);
        const config = await stack.config();
        const deployment = await stack.deployment();
        const held = heldRecords(deployment, settingsIn(config));
        const records = held.map((each) => ({ ...each, stack: name }));
        stacks.push({ name, stack, config, deployment, records });
      } catch (error) {
        const unknown = `Stack ${name} can't be read, so its settings and records are unknown. `;
        found.push(failure(error, "error", "stack-unreadable", [name], unknown));
      }
  } catch (error) {
    const isMissing = error instanceof NoStack;
    const code = isMissing ? "no-stack" : "stack-unreadable";
    // If nobody named a stack, and the environment has settings, that is no error.
    const isAlone = isMissing && selection === undefined && environment.isUsed;
    const before = isAlone ? "The settings are those of the environment. " : "";
    found.push(failure(error, isAlone ? "info" : "error", code, [], before));
  }
  const isAll = selection === "all" && !hasError();
  // Settings of a stack that could not be read are unknown, so the environment's mean nothing without them.
  const alone = hasError() ? [] : [environment];
  const connected = stacks.length === 0 ? alone : stacks.map(connect);
  const connections = merged(connected.flatMap((each) => each.connections));
  const answers = await Promise.all(connections.map((each) => serviceFindings(each, logger)));
  const held = stacks.flatMap(({ records }) => records);
  try {
    if (stacks.length > 0) await open().requireImportSupport();
  } catch (error) {
    found.push(failure(error, "warning", "pulumi-version", []));
  }
  found.push(
    ...(project === undefined ? [] : pluginFindings(project)),
    ...stacks.flatMap(configFindings),
    ...connected.flatMap((each) => each.found),
    ...stacks.flatMap(({ name, deployment }) => pendingOperations(name, deployment)),
    ...managedTwice(held.filter(({ isLeaving }) => !isLeaving)),
    ...answers.flatMap((each) => each.found),
  );
  const listed = stacks.length === 0 ? [] : answers.flatMap((each) => each.listed);
  const unmanaged = listed.filter(
    ({ resource, baseUrl, id }) => holderOf(held, resource, baseUrl, id) === undefined,
  );
  const creates = new Map<string, readonly Planned[]>();
  // A preview tells something only if all that it needs works.
  if (project !== undefined && !hasError())
    for (const { name, stack, config, records } of stacks)
      try {
        if (records.length + unmanaged.length === 0) continue;
        const preview = await previewProgram(stack, settingsIn(config));
        found.push(...undeclaredFindings(records, preview, programFiles(project)));
        creates.set(name, preview.creates);
      } catch (error) {
        const unknown = "The program can't be previewed, so what it declares is unknown: ";
        found.push(failure(error, "warning", "program-failed", [name], unknown));
      }
  found.push(...unmanaged.map((each) => unmanagedFinding(each, creates, isAll)));
  const names = stacks.map(({ name }) => name);
  return report(ownVersion(), names, found);
}

/** A failed command as a finding; any other error is thrown again. */
function failure(error: unknown, severity: Severity, code: string, stacks: string[], before = ""): Finding {
  if (!(error instanceof CommandFailure)) throw error;
  return { severity, code, stacks, message: before + error.problem, remedy: error.remedy };
}

/** The connections, each key of a service once. */
function merged(connections: readonly Connection[]): Connection[] {
  const groups = groupsBy(connections, ({ endpoint: { service, account } }) =>
    JSON.stringify([service, account]),
  );
  return groups.map((group) => ({
    endpoint: group[0].endpoint,
    stacks: [...new Set(group.flatMap(({ stacks }) => stacks))],
    records: group.flatMap(({ records }) => records),
  }));
}
