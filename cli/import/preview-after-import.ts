import { inGuide } from "../../provider/lifecycle/advice";
import { firstOf } from "../alike";
import { CommandFailure } from "../failure";
import { heldRecords } from "../look/held";
import type { Deployment, StackResource } from "../pulumi/json-output";
import type { Program } from "../pulumi/program";
import { settingsIn } from "../pulumi/stack";
import { shellQuote } from "../shell-quote";
import { refuseRedeclared } from "./redeclared";
import type { ImportRun } from "./run";
import type { Survey } from "./survey";

/** The resources of a stack, including those of other packages, that the next `up` would delete or replace. */
export function deletedByNextUp({ resources = [] }: Deployment, { keeps }: Pick<Program, "keeps">) {
  return resources.filter(
    ({ urn, type, id, delete: isPendingDelete }) =>
      id && !isPendingDelete && !/^pulumi:/.test(type) && !keeps(urn),
  );
}

/** What to do about resources that the next `up` would delete. */
export function deletedByNextUpFailure(resources: readonly StackResource[]): CommandFailure {
  return new CommandFailure(
    `The program does not declare what the stack holds, so the next "pulumi up" deletes it, or fails if it is protected`,
    `Declare it first, perhaps by the file that an earlier import wrote, or choose what becomes of it: ${inGuide("Removing a website")}, or for Python, Go and YAML ${inGuide("Protection", "other-languages.md")}`,
    firstOf(resources.map(({ urn }) => shellQuote(urn))),
  );
}

/**
 * Says what the next `up` would still change. Throws if it would delete what the stack holds, or if the program declares that
 * under another name: after exit code 0, an `up` deletes nothing.
 *
 * @param isOpen a person has to act first: the next `up` would fail
 * @param toAdd what to add to the program after this import, such as `this line: import "./tracking";`. The engine
 *   refuses to delete what was just imported, since it is protected
 */
export function sayWhatIsLeft(
  { options, print }: ImportRun,
  { deployment, program }: Pick<Survey, "deployment" | "program">,
  { isOpen, toAdd }: { readonly isOpen: boolean; readonly toAdd?: string | undefined },
): void {
  refuseRedeclared(heldRecords(deployment, settingsIn({})), program);
  const planned = new Set(program.planned.map(({ urn }) => urn));
  const undeclared = deletedByNextUp(deployment, program);
  // Protected resources may be what this import or an earlier one wrote, whose file is added to the program next. With
  // `--declared`, what the program has and replaces is no danger: a preview says it.
  const lost = undeclared.filter(({ urn, protect }) =>
    options.declared ? !planned.has(urn) : toAdd === undefined || protect !== true,
  );
  if (lost.length > 0) throw deletedByNextUpFailure(lost);
  if (!options.apply) return;
  const { changes, unprotects } = program;
  if (toAdd !== undefined && undeclared.length > 0)
    print(
      `"pulumi preview" fails until the program declares them, because imported records are protected. Add ${toAdd}`,
    );
  else if (changes === 0) print("A preview shows no changes.");
  else if (!isOpen)
    print(`A preview shows changes to ${changes}: see "pulumi preview --diff", then run "pulumi up".`);
  if (unprotects > 0)
    print(
      `It marks ${unprotects} with [diff: ~protect]: every import protects, and the next "pulumi up" protects what the program says.`,
    );
}
