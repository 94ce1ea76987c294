import { format } from "../../provider/schema/format";
import { noun } from "../../provider/schema/resource";
import { CommandFailure } from "../failure";
import type { ResourceState } from "../pulumi/json-output";
import { describeChanges, previewChanges } from "../pulumi/preview";
import { resourceOfType } from "../pulumi/resource-forms";
import type { Stack } from "../pulumi/stack";
import { nameOf } from "../pulumi/urn";
import { shellQuote } from "../shell-quote";
import type { Terminal } from "../terminal";
import type { DeclaredRecord } from "./script";

/** A file that declares imported records, and the line that adds it to the program. */
export interface ProgramSource {
  readonly importLine: string;
  readonly declared: readonly DeclaredRecord[];
}

const MAX_LISTED = 20;

/**
 * Previews what the next `up` would still change. What an import wrote only needs a line in the program; while it is
 * protected, the engine refuses to delete it. If anything else would be deleted, or would be if it were not
 * protected, the command fails: an `up` after status 0 deletes nothing.
 */
export async function previewAfterImport(
  stack: Stack,
  sources: readonly ProgramSource[],
  print: Terminal["print"],
): Promise<void> {
  const { deletes, changes } = await previewChanges(stack).catch((error: unknown) => {
    for (const line of new Set(sources.map((each) => each.importLine)))
      print(`The program needs this line, unless it has it already: ${line}`);
    throw error;
  });
  const undeclared = deletes.filter((each) => !sources.some((source) => declares(source, each)));
  const missing = sources.filter((source) => deletes.some((each) => declares(source, each)));
  for (const line of new Set(missing.map((each) => each.importLine)))
    print(
      `Add this line to the program, and "pulumi preview" shows no more changes to these records: ${line}`,
    );
  if (undeclared.length > 0)
    throw new CommandFailure(
      `The next "pulumi up" would delete what the program does not declare: ${describeResources(undeclared)}`,
      `Before you run "pulumi up", declare it again, or run ${stateDeleteCommand(undeclared, stack)}, which keeps the record on the service`,
    );
  const unprotected = deletes.filter(({ protect }) => protect !== true);
  if (unprotected.length > 0)
    throw new CommandFailure(
      `Without that line the next "pulumi up" deletes unprotected resources: ${describeResources(unprotected)}`,
      'Add the line before you run "pulumi up"',
    );
  if (missing.length === 0) print(describeChanges(changes));
}

/** The command that removes these from the stack; protected ones, such as all imported ones, need `--force`. */
function stateDeleteCommand(resources: readonly ResourceState[], { name }: Stack): string {
  const command = `pulumi state delete --force${name === undefined ? "" : ` --stack ${shellQuote(name)}`}`;
  const [one] = resources;
  return resources.length === 1 && one !== undefined
    ? `"${command} ${shellQuote(one.urn)}"`
    : `"${command} URN" for each, with the URNs from "pulumi stack --show-urns"`;
}

function declares({ declared }: ProgramSource, { urn, type }: ResourceState): boolean {
  return declared.some((each) => each.name === nameOf(urn) && type.endsWith(`:${each.type}`));
}

function describeResources(all: readonly ResourceState[]): string {
  const named = all.slice(0, MAX_LISTED).map(({ type, urn, id = "", outputs = {} }) => {
    const resource = resourceOfType(type);
    const key = resource && outputs[resource.key];
    return typeof key === "string" && resource !== undefined
      ? `${noun(resource)} ${format(undefined, key)} (id ${id})`
      : `"${nameOf(urn)}" (${type})`;
  });
  return [...named, ...(all.length > MAX_LISTED ? [`and ${all.length - MAX_LISTED} more`] : [])].join(", ");
}
