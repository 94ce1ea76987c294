import { parseUrn } from "../../provider/hosts/urn";
import { describeRecord, IMPORT } from "../../provider/lifecycle/errors";
import { MAX_ALIKE } from "../alike";
import { CommandFailure } from "../failure";
import type { StackResource } from "../pulumi/json-output";
import { previewProgram } from "../pulumi/preview";
import { settingsIn } from "../pulumi/stack";
import { declarations, findDeclared, renameFailure } from "../renamed";
import { dropCommand, heldRecords, resourceOfType, unwrapSecrets } from "../stack-records";
import type { ImportRun } from "./run";
import type { WrittenRecord } from "./written-record";

/** A file that declares imported records. */
export interface WrittenProgram {
  /** What the program still needs, such as `this line: import "./tracking";`. */
  readonly missing: string;
  readonly records: readonly WrittenRecord[];
}

/**
 * Previews what the next `up` would still change. The engine refuses to delete what was just imported, since it is
 * protected. If the program lacks anything else that the stack holds, or declares it under another name, the command
 * fails: an `up` after exit code 0 deletes nothing. Returns whether the program declares everything.
 *
 * @param written the file of this run
 * @param earlier the lines that add the files of earlier runs
 */
export async function previewAfterImport(
  { stack, options, terminal }: ImportRun,
  written?: WrittenProgram,
  earlier: readonly string[] = [],
): Promise<boolean> {
  const deployment = await stack.deployment();
  // Of addresses, only those of explicit providers have to differ.
  const settings = settingsIn({});
  const { keeps, creates, changes } = await previewProgram(stack, settings).catch((error: unknown) => {
    if (written !== undefined) terminal.print(`If the program does not have it yet, add ${written.missing}`);
    throw error;
  });
  const deletes = (deployment.resources ?? []).filter(
    ({ urn, type, id, delete: isLeaving }) => id && !isLeaving && !/^pulumi:/.test(type) && !keeps(urn),
  );
  const held = heldRecords(deployment, settings);
  const [lost, declared] = [new Set(deletes.map(({ urn }) => urn)), declarations(creates)];
  const renamed = held.flatMap((each) => {
    const found = lost.has(each.urn) ? findDeclared(each, declared) : undefined;
    return found ? { held: each, declared: found } : [];
  });
  const renamedUrns = new Set(renamed.flatMap((each) => [each.held.urn, each.declared.urn]));
  const isRenamed = ({ urn }: StackResource) => renamedUrns.has(urn);
  const names = new Map(written?.records.map(({ name, resource }) => [name, resource]));
  const isWritten = ({ urn, type, protect }: StackResource) =>
    protect === true &&
    names.has(parseUrn(urn).name) &&
    names.get(parseUrn(urn).name) === resourceOfType(type);
  const undeclared = deletes.filter((each) => !isRenamed(each) && !isWritten(each));
  // With --declared, the notes before the import have named these.
  const unmanaged = creates.filter(
    (each) => !options.declared && resourceOfType(each.type) !== undefined && !isRenamed(each),
  );
  if (unmanaged.length > 0)
    terminal.print(
      `The program declares what the stack does not hold: ${describe(unmanaged)}. If it exists on the service, ` +
        `run "${IMPORT}"; else the next "pulumi up" creates it.`,
    );
  if (deletes.some((each) => !isRenamed(each) && isWritten(each)))
    terminal.print(
      `"pulumi preview" fails until the program declares them, because imported records are protected. Add ${written?.missing}`,
    );
  const [first, ...others] = renamed;
  if (first !== undefined) throw renameFailure(first, ...others);
  if (undeclared.length > 0)
    throw new CommandFailure(
      `The program does not declare what the stack holds, so the next "pulumi up" deletes it, or fails if it is protected: ${describe(undeclared)}`,
      `Declare it first${earlier.length === 0 ? "" : ` (${earlier.join(" ")} adds a file of this name)`}; or run ${dropCommand("URN")} for each, with the URNs from "pulumi stack --show-urns", which keeps the record on the service`,
    );
  if (deletes.length > 0) return false;
  terminal.print(
    changes === 0
      ? "A preview shows no changes."
      : `A preview shows changes to ${changes}: see "pulumi preview --diff", then run "pulumi up".`,
  );
  return true;
}

function describe(all: readonly StackResource[]): string {
  const named = all.slice(0, MAX_ALIKE).map(({ type, urn, id, inputs, outputs }) => {
    const resource = resourceOfType(type);
    if (resource === undefined) return `"${parseUrn(urn).name}" (${type})`;
    const values = unwrapSecrets({ ...inputs, ...outputs });
    return describeRecord({ resource, values, id: id || undefined });
  });
  return named.join(", ") + (all.length > named.length ? `, and ${all.length - named.length} more` : "");
}
