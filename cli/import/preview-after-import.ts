import { enumerate } from "../alike";
import { CommandFailure } from "../failure";
import { previewProgram } from "../pulumi/preview";
import { settingsIn } from "../pulumi/stack";
import { findRenamed, renameFailure } from "../renamed";
import { shellQuote } from "../shell-quote";
import { dropCommand, heldRecords } from "../stack-records";
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
  const preview = await previewProgram(stack, settings).catch((error: unknown) => {
    if (missing !== undefined) terminal.print(`If the program does not have it yet, add ${missing}`);
    throw error;
  });
  const held = heldRecords({ resources }, settings);
  const [first, ...others] = findRenamed(held, preview);
  if (first !== undefined) throw renameFailure(first, ...others);
  const deletes = resources.filter(
    ({ urn, type, id, delete: isLeaving }) =>
      id && !isLeaving && !/^pulumi:/.test(type) && !preview.keeps(urn),
  );
  const undeclared = deletes.filter(({ protect }) => missing === undefined || protect !== true);
  if (undeclared.length > 0)
    throw new CommandFailure(
      `The program does not declare what the stack holds, so the next "pulumi up" deletes it, or fails if it is protected: ${enumerate(undeclared.map(({ urn }) => shellQuote(urn)))}`,
      `Declare it first, perhaps by the file that an earlier import wrote; or run ${dropCommand("URN")} for each, which keeps the record on the service`,
    );
  terminal.print(
    deletes.length > 0
      ? `"pulumi preview" fails until the program declares them, because imported records are protected. Add ${missing}`
      : preview.changes === 0
        ? "A preview shows no changes."
        : `A preview shows changes to ${preview.changes}: see "pulumi preview --diff", then run "pulumi up".`,
  );
}
