import { parseUrn } from "../../provider/hosts/urn";
import { describeRecord } from "../../provider/lifecycle/errors";
import { MAX_ALIKE } from "../alike";
import { CommandFailure } from "../failure";
import type { StackResource } from "../pulumi/json-output";
import { previewProgram } from "../pulumi/preview";
import { settingsIn } from "../pulumi/stack";
import { declarations, findDeclared, renameFailure } from "../renamed";
import { dropCommand, heldRecords, resourceOfType, unwrapSecrets } from "../stack-records";
import type { ImportRun } from "./run";

/**
 * Previews what the next `up` would still change. If the program lacks what the stack holds, or declares it under another
 * name, the command fails: an `up` after exit code 0 deletes nothing. The engine refuses to delete what was just imported,
 * since it is protected.
 *
 * @param missing what the program still needs after this import, such as `this line: import "./tracking";`
 */
export async function previewAfterImport({ stack, terminal }: ImportRun, missing?: string): Promise<void> {
  const { resources = [] } = await stack.deployment();
  // Of addresses, only those of explicit providers have to differ.
  const settings = settingsIn({});
  const { keeps, creates, changes } = await previewProgram(stack, settings).catch((error: unknown) => {
    if (missing !== undefined) terminal.print(`If the program does not have it yet, add ${missing}`);
    throw error;
  });
  const declared = declarations(creates);
  const renamed = heldRecords({ resources }, settings).flatMap((held) => {
    const found = held.isLeaving || keeps(held.urn) ? undefined : findDeclared(held, declared);
    return found ? { held, declared: found } : [];
  });
  const [first, ...others] = renamed;
  if (first !== undefined) throw renameFailure(first, ...others);
  const deletes = resources.filter(
    ({ urn, type, id, delete: isLeaving }) => id && !isLeaving && !/^pulumi:/.test(type) && !keeps(urn),
  );
  const undeclared = deletes.filter(({ protect }) => missing === undefined || protect !== true);
  if (undeclared.length > 0)
    throw new CommandFailure(
      `The program does not declare what the stack holds, so the next "pulumi up" deletes it, or fails if it is protected: ${describe(undeclared)}`,
      `Declare it first, perhaps by the file that an earlier import wrote; or run ${dropCommand("URN")} for each, with the URNs from "pulumi stack --show-urns", which keeps the record on the service`,
    );
  terminal.print(
    deletes.length > 0
      ? `"pulumi preview" fails until the program declares them, because imported records are protected. Add ${missing}`
      : changes === 0
        ? "A preview shows no changes."
        : `A preview shows changes to ${changes}: see "pulumi preview --diff", then run "pulumi up".`,
  );
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
