import { inGuide } from "../../provider/lifecycle/advice";
import { firstOf } from "../alike";
import { CommandFailure } from "../failure";
import type { Deployment } from "../pulumi/json-output";
import type { Program } from "../pulumi/program";
import { shellQuote } from "../shell-quote";

type Next = Pick<Program, "keeps" | "planned">;

/**
 * Throws if the next `up` would delete or replace what a stack holds, of any package: after exit code 0, it deletes nothing.
 *
 * @param gone the URNs of what the service has no more: there is nothing to delete
 */
export function refuseLosses(
  { resources = [] }: Deployment,
  { keeps, planned }: Next,
  gone: ReadonlySet<string>,
): void {
  const lost = resources.filter(
    ({ urn, type, id, external, delete: isPendingDelete }) =>
      id && !external && !isPendingDelete && !/^pulumi:/.test(type) && !gone.has(urn) && !keeps(urn),
  );
  const declared = new Set(planned.map(({ urn }) => urn));
  const undeclared = lost.filter(({ urn }) => !declared.has(urn));
  if (undeclared.length > 0)
    throw new CommandFailure(
      `The program does not declare what the stack holds, so the next "pulumi up" deletes it, or fails if it is protected`,
      `Declare it first, or choose what becomes of it: ${inGuide("Removing a website")}`,
      firstOf(undeclared.map(({ urn }) => shellQuote(urn))),
    );
  if (lost.length > 0)
    throw new CommandFailure(
      `The next "pulumi up" replaces what the stack holds, and deletes the old one`,
      `See "npx pulumi-tracking preview", and take back in the program what is not meant`,
      firstOf(lost.map(({ urn }) => shellQuote(urn))),
    );
}

/** Throws because Pulumi's preview has stopped at what is protected in the stack, before it wrote the file that an import needs. */
export function refuseGone({ keeps }: Next, gone: ReadonlySet<string>): never {
  throw new CommandFailure(
    "Nothing is imported: Pulumi's preview stops at what is protected in the stack, but gone from the service",
    'Run "pulumi refresh --run-program", which drops it from the state, and run this again',
    firstOf([...gone].filter((urn) => !keeps(urn)).map(shellQuote)),
  );
}

/**
 * Says what the next `up` changes.
 *
 * @param isOpen a person has to act first: the next `up` would fail
 */
export function describeNextUp({ changes, unprotects }: Program, isOpen: boolean): string[] {
  const some = `A preview shows changes to ${changes}: see "pulumi preview --diff", then run "pulumi up".`;
  const left = changes === 0 ? ["A preview shows no changes."] : isOpen ? [] : [some];
  const marked = `It marks ${unprotects} with [diff: ~protect]: every import protects, and the next "pulumi up" protects what the program says.`;
  return unprotects === 0 ? left : [...left, marked];
}
