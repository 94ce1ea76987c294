import { format } from "../../provider/schema/format";
import { noun } from "../../provider/schema/resource";
import { CommandFailure } from "../failure";
import type { ResourceState } from "../pulumi/json-output";
import { previewChanges } from "../pulumi/preview";
import { resourceOfType } from "../pulumi/resource-forms";
import { nameOf } from "../pulumi/urn";
import { shellQuote } from "../shell-quote";
import type { ImportRun } from "./options";
import type { WrittenRecord } from "./written-record";

/** A file that declares imported records. */
export interface WrittenProgram {
  /** What the program still needs, such as `this line: import "./tracking";`. */
  readonly missing: string;
  readonly records: readonly WrittenRecord[];
}

const MAX_LISTED = 20;

/**
 * Previews what the next `up` would still change. The engine refuses to delete what was just imported, since it is
 * protected. If the program lacks anything else that the stack holds, the command fails: an `up` after exit code 0
 * deletes nothing.
 *
 * @param written the file of this run
 * @param earlier files of this name from earlier runs
 */
export async function previewAfterImport(
  { stack, terminal }: Pick<ImportRun, "stack" | "terminal">,
  written?: WrittenProgram,
  earlier: readonly string[] = [],
): Promise<void> {
  const { deletes, creates, changes } = await previewChanges(stack).catch((error: unknown) => {
    if (written !== undefined) terminal.print(`If the program does not have it yet, add ${written.missing}`);
    throw error;
  });
  const isWritten = ({ urn, type, protect }: ResourceState) =>
    protect === true &&
    written?.records.some(({ name, resource }) => name === nameOf(urn) && resource === resourceOfType(type));
  const undeclared = deletes.filter((each) => !isWritten(each));
  const unmanaged = creates.filter(({ type }) => resourceOfType(type) !== undefined);
  if (unmanaged.length > 0)
    terminal.print(
      `The program declares what the stack does not hold: ${describe(unmanaged)}. If it exists on the service, ` +
        'run "npx pulumi-tracking import --declared --apply"; else the next "pulumi up" creates it.',
    );
  if (undeclared.length < deletes.length)
    terminal.print(
      `Until you do this, "pulumi preview" fails, because imported records are protected. Add ${written?.missing}`,
    );
  if (undeclared.length > 0)
    throw new CommandFailure(
      `The program does not declare what the stack holds, so the next "pulumi up" deletes it, or fails if it is protected: ${describe(undeclared)}`,
      `Declare it first${earlier.length === 0 ? "" : ` (${earlier.join(" ")} adds a file of this name)`}; or run ${stateDelete(undeclared, stack.name)}, which keeps the record on the service`,
    );
  if (deletes.length === 0) terminal.print(describeChanges(changes));
}

function describeChanges(changes: Readonly<Record<string, number>>): string {
  const parts = Object.entries(changes).map(([op, count]) => `${count} to ${op}`);
  return parts.length === 0
    ? "A preview shows no changes."
    : `A preview shows ${parts.join(", ")}: see "pulumi preview --diff", then run "pulumi up".`;
}

/** The command that removes these from the stack; protected ones, such as all imported ones, need `--force`. */
function stateDelete(resources: readonly ResourceState[], stack: string | undefined): string {
  const command = `pulumi state delete --force${stack === undefined ? "" : ` --stack ${shellQuote(stack)}`}`;
  const [one] = resources;
  return resources.length === 1 && one !== undefined
    ? `"${command} ${shellQuote(one.urn)}"`
    : `"${command} URN" for each, with the URNs from "pulumi stack --show-urns"`;
}

function describe(all: readonly ResourceState[]): string {
  const named = all.slice(0, MAX_LISTED).map(({ type, urn, id, inputs = {}, outputs = {} }) => {
    const resource = resourceOfType(type);
    const key = resource && { ...inputs, ...outputs }[resource.key];
    return typeof key === "string" && resource !== undefined
      ? `${noun(resource)} ${format(undefined, key)}${id ? ` (id ${id})` : ""}`
      : `"${nameOf(urn)}" (${type})`;
  });
  return [...named, ...(all.length > MAX_LISTED ? [`and ${all.length - MAX_LISTED} more`] : [])].join(", ");
}
