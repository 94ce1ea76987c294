import type { Logger } from "../../provider/api/client";
import { ownVersion } from "../manifest";
import { previewProgram } from "../pulumi/preview";
import { Stack } from "../pulumi/stack";
import { findRenamed } from "../renamed";
import type { StackOptions } from "../stack-options";
import { managersOf, scopedId } from "../stack-records";
import { renamedFinding, unmanagedFinding, versionFindings } from "./declarations";
import { failed, type OpenStack, readAll } from "./read-stacks";
import { type Report, report } from "./report";
import { type ListedRecord, serviceFindings } from "./service";
import { configFindings } from "./settings";
import { managedTwice, pendingDeletes, pendingOperations } from "./state";

/** What to check. */
export interface Selection extends StackOptions {
  /** Whether a record with this domain or name may be in no stack; if given, each other one is a warning. */
  readonly ignores?: ((key: string) => boolean) | undefined;
}

/**
 * Checks everything and changes nothing.
 *
 * @param folder the folder that the command runs in
 */
export async function diagnose(
  { ignores, ...wanted }: Selection,
  folder: string,
  logger: Logger,
  open: OpenStack = (name) => new Stack(name),
): Promise<Report> {
  const { project, stacks, found, isRead, settingFindings, connections } = await readAll(
    wanted,
    folder,
    open,
  );
  const hasError = () => found.some(({ severity }) => severity === "error");
  const answers = await Promise.all(connections.map((each) => serviceFindings(each, logger, ignores)));
  const held = stacks.flatMap(({ records }) => records);
  const differing = new Set(answers.flatMap((each) => each.differing.map((one) => one.held)));
  const tooOld = failed(found, "warning", "pulumi-version", []);
  if (stacks.length > 0) await open().requireImportSupport().catch(tooOld);
  found.push(
    ...stacks.flatMap(configFindings),
    ...settingFindings,
    ...stacks.flatMap(({ name, deployment }) => pendingOperations(name, deployment)),
    ...pendingDeletes(held),
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
  const known = managersOf(held);
  const listed = stacks.length === 0 ? [] : answers.flatMap((each) => each.listed);
  const isUnmanaged = (each: ListedRecord) => !known.has(scopedId(each.resource, each.baseUrl, each.id));
  const severity = ignores && isRead ? "warning" : "info";
  found.push(...listed.filter(isUnmanaged).map((each) => unmanagedFinding(each, severity)));
  const names = stacks.map(({ name }) => name);
  return report(ownVersion(), names, found);
}
