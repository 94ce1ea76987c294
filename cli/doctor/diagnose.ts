import type { Logger } from "../../provider/api/client";
import { CommandFailure } from "../failure";
import { ownVersion } from "../manifest";
import { NoStack } from "../pulumi/failure";
import { type Project, requireProject } from "../pulumi/project";
import { MIN_VERSION, Stack } from "../pulumi/stack";
import { pluginFindings, programFindings } from "./program";
import { type Finding, finding, type Report, report } from "./report";
import { serviceFindings } from "./service";
import { type Connection, configFindings, connectionsOf, type ReadStack, settingFindings } from "./settings";
import { managedTwice, pendingOperations } from "./state";

/** Where the doctor looks; a test may replace any of it. */
export interface DoctorContext {
  /** The folder that the command runs in. */
  readonly folder: string;
  readonly logger: Logger;
  readonly open?: (name?: string) => Stack;
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Checks everything and changes nothing.
 *
 * @param selection the stacks to read; by default the selected one
 */
export async function diagnose(
  selection: readonly string[] | "all" | undefined,
  { folder, logger, open = (name) => new Stack(name), env }: DoctorContext,
): Promise<Report> {
  const stacks: ReadStack[] = [];
  const unread: Finding[] = [];
  const environment = connectionsOf(undefined, env);
  let project: Project | undefined;
  try {
    project = await requireProject(folder);
    const found = selection === "all" ? await open().names() : (selection ?? [await open().ownName()]);
    if (found.length === 0)
      throw new NoStack("The project has no stack", 'Create one with "pulumi stack init"');
    for (const name of new Set(found))
      try {
        const stack = open(name);
        stacks.push({ name, stack, config: await stack.config(), deployment: await stack.deployment() });
      } catch (error) {
        if (!(error instanceof CommandFailure)) throw error;
        const message = `Stack ${name} can't be read, so its settings and records are unknown. ${error.problem}`;
        unread.push(finding("error", "stack-unreadable", { stacks: [name] }, message, error.remedy));
      }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    unread.push(noStack(error, selection === undefined && environment.some(({ address }) => address)));
  }
  const isUnread = unread.some(({ severity }) => severity === "error");
  // Settings of a stack that could not be read are unknown, so the environment's mean nothing without them.
  const alone = isUnread ? [] : environment;
  const connections = stacks.length === 0 ? alone : stacks.flatMap((each) => connectionsOf(each, env));
  const held = connections.flatMap(({ records }) => records);
  const current = held.filter(({ isLeaving }) => !isLeaving);
  const read = stacks.length === 0 ? "none" : selection === "all" && !isUnread ? "all" : "some";
  const answers = merged(connections).map((each) => serviceFindings(each, { held, read }, logger));
  const old = stacks.length === 0 ? undefined : await open().oldVersion();
  const message = `pulumi ${old} can't import records: ${MIN_VERSION} or later is required`;
  const found: Finding[] = [
    ...unread,
    ...(old === undefined
      ? []
      : [finding("warning", "pulumi-version", { stacks: [] }, message, "Update it")]),
    ...(project === undefined ? [] : pluginFindings(project)),
    ...stacks.flatMap(configFindings),
    ...connections.flatMap(settingFindings),
    ...stacks.flatMap(({ name, deployment }) => pendingOperations(name, deployment)),
    ...managedTwice(current),
    ...(await Promise.all(answers)).flat(),
  ];
  // A preview tells something only if all that it needs works.
  if (project !== undefined && !found.some(({ severity }) => severity === "error"))
    for (const { name, stack } of stacks) {
      const own = current.filter((each) => each.stack === name);
      if (own.length > 0) found.push(...(await programFindings(name, stack, own, project)));
    }
  const names = stacks.map(({ name }) => name);
  return report(ownVersion(), names, found);
}

/** No stack can be read at all. If nobody named one, and the environment has settings, that is no error. */
function noStack(failure: CommandFailure, isAlone: boolean): Finding {
  const { problem, remedy } = failure;
  const isMissing = failure instanceof NoStack;
  const isEnough = isMissing && isAlone;
  const message = isEnough ? `${problem}; the settings are those of the environment` : problem;
  const code = isMissing ? "no-stack" : "stack-unreadable";
  return finding(isEnough ? "info" : "error", code, { stacks: [] }, message, remedy);
}

/** The connections that can be used, each key of a service once. */
function merged(connections: readonly Connection[]): Connection[] {
  const unique = new Map<string, Connection>();
  for (const each of connections)
    if (each.endpoint !== undefined) {
      const id = JSON.stringify([each.service, each.endpoint.baseUrl, each.endpoint.key]);
      const { stacks, records } = unique.get(id) ?? { stacks: [], records: [] };
      unique.set(id, {
        ...each,
        stacks: [...new Set([...stacks, ...each.stacks])],
        records: [...records, ...each.records],
      });
    }
  return [...unique.values()];
}
