import { linesOf, reasonOf } from "../api/api";
import type { RemoteRecord } from "../schema/codec";
import { changedFields, inProgramSpelling } from "../schema/compare";
import { format, formatIds } from "../schema/format";
import { filterByKey, stateAfter } from "../schema/identity";
import { fieldOf, type Values } from "../schema/resource";
import { IMPORT } from "./advice";
import type { Context, ResourceState } from "./context";
import { describeRecord, LifecycleError, PartialFailure, type Subject } from "./errors";
import { idOf, writeFields } from "./write";

/** Says that several records have a resource's key, which only people can tell apart, and what to do. */
export function describeSeveral(
  subject: Subject,
  matches: readonly RemoteRecord[],
): [title: string, advice: string] {
  const { deletesWith } = subject.resource;
  const loss = deletesWith === undefined ? "" : `: their ${deletesWith} are deleted with them`;
  return [
    `${describeRecord(subject)}: ${matches.length} records match (${formatIds(matches)})`,
    `Compare them in the service's web interface, and delete all but one${loss}`,
  ];
}

/** Returns the only match, or undefined. Throws if several exist. */
export function onlyMatch(subject: Subject, matches: readonly RemoteRecord[]): RemoteRecord | undefined {
  if (matches.length > 1)
    throw new LifecycleError(...describeSeveral(subject, matches), `Then run "${IMPORT}"`);
  return matches[0];
}

/** A record's values of the fields that the program manages, in the program's spelling. */
function managedFields({ resource }: Context, wanted: Values, found: RemoteRecord): Values {
  const managed = Object.keys(resource.inputs)
    .filter((name) => wanted[name] !== undefined && found.values[name] != null)
    .map((name) => [name, inProgramSpelling(fieldOf(resource, name), wanted[name], found.values[name])]);
  return Object.fromEntries(managed);
}

/**
 * Reports which record `adopt` means, if one exists, and what the arguments change on it, and claims it in the ledger. Throws if
 * adopting is impossible.
 *
 * @returns the values that the record has; none if there is no record
 */
export async function announceAdoption(context: Context, args: Values): Promise<Values> {
  const { resource, records, ledger, warn } = context;
  const key = args[resource.key];
  const subject = { resource, values: args };
  const listed = await records.findByKey(key).catch((error: unknown) => {
    const groupKey = "could not be looked for, so whether it exists already and will be adopted is unknown";
    warn({ text: `${describeRecord(subject)} ${groupKey}: ${reasonOf(error)}`, groupKey });
    return [];
  });
  const found = onlyMatch(subject, filterByKey(resource, key, listed));
  if (found === undefined) return {};
  const id = idOf(subject, found);
  ledger.assertAdoptable(id, args, "claimed");
  const stored = managedFields(context, args, found);
  // What they become is shown by the engine.
  const changes = changedFields(resource, stored, args).map((name) =>
    stored[name] === undefined ? name : `${name} (now ${format(fieldOf(resource, name), stored[name])})`,
  );
  warn({
    text: `${describeRecord({ resource, values: found.values })} exists already (id ${id}) and will be adopted; ${changes.length === 0 ? "nothing changes on it" : `what changes on it: ${changes.join(", ")}`}`,
    groupKey: "exists already and will be adopted",
  });
  return stored;
}

/** Adopts an existing record, and sends the arguments that differ from it. */
export async function adopt(context: Context, wanted: Values, found: RemoteRecord): Promise<ResourceState> {
  const { resource } = context;
  const id = idOf({ resource, values: wanted }, found);
  context.ledger.assertAdoptable(id, wanted);
  const stored = managedFields(context, wanted, found);
  const names = changedFields(resource, stored, wanted);
  if (names.length === 0) return { id, state: stateAfter(resource, {}, wanted, found) };
  // From here on the record belongs to this resource, even if the update fails.
  const unchanged = Object.fromEntries(Object.entries(stored).filter(([name]) => !names.includes(name)));
  try {
    return await writeFields(context, { id, olds: unchanged, wanted, names });
  } catch (error) {
    if (error instanceof PartialFailure) throw error;
    throw new PartialFailure(id, unchanged, linesOf(error));
  }
}
