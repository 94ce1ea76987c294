import { LET_GO } from "../../provider/lifecycle/errors";
import { enumerate } from "../alike";
import { CommandFailure } from "../failure";
import { heldRecords } from "../look/held";
import type { Deployment, StackResource } from "../pulumi/json-output";
import { type Program, previewProgram } from "../pulumi/program";
import { settingsIn } from "../pulumi/stack";
import { shellQuote } from "../shell-quote";
import { refuseRedeclared } from "./redeclared";
import type { ImportRun } from "./run";

/** The resources of a stack that the next `up` would delete or replace. */
export function endangered({ resources = [] }: Deployment, { keeps }: Pick<Program, "keeps">) {
  return resources.filter(
    ({ urn, type, id, delete: isLeaving }) => id && !isLeaving && !/^pulumi:/.test(type) && !keeps(urn),
  );
}

export function endangeredFailure(all: readonly StackResource[]): CommandFailure {
  return new CommandFailure(
    `The program does not declare what the stack holds, so the next "pulumi up" deletes it, or fails if it is protected: ${enumerate(all.map(({ urn }) => shellQuote(urn)))}`,
    `Declare it first, perhaps by the file that an earlier import wrote. To keep its record on the service and not in the stack, ${LET_GO}`,
  );
}

/**
 * Previews what the next `up` would still change after an import of records for which a program was written. If the
 * program lacks other resources of the stack, or declares them under another name, the command fails: an `up` after exit
 * code 0 deletes nothing. The engine refuses to delete what was just imported, since it is protected.
 *
 * @param missing what the program still needs after this import, such as `this line: import "./tracking";`
 */
export async function previewAfterImport({ stack, print }: ImportRun, missing?: string): Promise<void> {
  const deployment = await stack.deployment();
  const program = await previewProgram(stack).catch((error: unknown) => {
    if (missing !== undefined) print(`If the program does not have it yet, add ${missing}`);
    throw error;
  });
  refuseRedeclared(heldRecords(deployment, settingsIn({})), program);
  const all = endangered(deployment, program);
  const others = all.filter(({ protect }) => missing === undefined || protect !== true);
  if (others.length > 0) throw endangeredFailure(others);
  print(
    all.length > 0
      ? `"pulumi preview" fails until the program declares them, because imported records are protected. Add ${missing}`
      : program.changes === 0
        ? "A preview shows no changes."
        : `A preview shows changes to ${program.changes}, perhaps only in the protection that every import gives: see "pulumi preview --diff", then run "pulumi up".`,
  );
}
