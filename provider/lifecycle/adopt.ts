import type { RemoteRecord } from "../schema/codec";
import { changedFields, mergeRemote } from "../schema/compare";
import { filterByKey } from "../schema/identity";
import { fieldOf, type Resource, type Values } from "../schema/resource";
import type { Context, ResourceState } from "./context";
import {
  describeMatches,
  describeOwner,
  describeRecord,
  LifecycleError,
  PartialFailure,
  reasonOf,
} from "./errors";
import type { Standing } from "./ownership";
import { idOf, putFields } from "./verify";

/**
 * The existing record that `adopt` takes over, if there is one, and the arguments that it does not have yet.
 * More than one is a `Problem`.
 */
export async function findAdoptable(
  resource: Resource,
  context: Context,
  args: Values,
): Promise<{ found: RemoteRecord; id: string; differs: string[] } | undefined> {
  const key = args[resource.key];
  const found = onlyMatch(resource, args, filterByKey(resource, key, await context.records.findByKey(key)));
  return (
    found && {
      found,
      id: idOf(resource, args, found),
      differs: changedFields(resource, managedFields(resource, args, found), args),
    }
  );
}

/** The one record of several that have a key, where there is one. */
export function onlyMatch(
  resource: Resource,
  args: Values,
  matches: readonly RemoteRecord[],
): RemoteRecord | undefined {
  if (matches.length > 1)
    throw new LifecycleError(
      `${describeRecord(resource, args)}: ${describeMatches(matches)}; adopt can't choose`,
    );
  return matches[0];
}

/** Stops where a record is another resource's, or will be free too late. */
export function assertAvailable(resource: Resource, args: Values, id: string, standing: Standing): void {
  if (standing.is === "held")
    throw new LifecycleError(
      `${describeRecord(resource, args, id)} already belongs to ${describeOwner(standing.by)}`,
    );
  if (standing.is === "late")
    throw new LifecycleError(
      `${describeRecord(resource, args, id)} belongs to ${describeOwner(standing.by)}, which moves away from it, and deletes it only after everything else is made; ` +
        "set deleteBeforeReplace: true there, or make the two changes one after the other",
    );
}

/** Makes an existing record this resource's, and sends what it does not have yet. */
export async function adopt(
  resource: Resource,
  context: Context,
  wanted: Values,
  found: RemoteRecord,
): Promise<ResourceState> {
  const id = idOf(resource, wanted, found);
  if (!context.claims.take(id, wanted))
    throw new LifecycleError(
      `${describeRecord(resource, wanted, id)} already belongs to ${describeOwner(context.claims.other(id, wanted)?.name)}`,
    );
  const has = managedFields(resource, wanted, found);
  const names = changedFields(resource, has, wanted);
  if (names.length === 0) return { id, state: wanted };
  // From here on the record is this resource's, however the update ends.
  const managed = Object.fromEntries(Object.entries(has).filter(([name]) => !names.includes(name)));
  try {
    return await putFields(resource, context, id, managed, wanted, names);
  } catch (error) {
    if (error instanceof PartialFailure) throw error;
    throw new PartialFailure(id, { ...managed, [resource.key]: wanted[resource.key] }, reasonOf(error));
  }
}

/** What a record has of the fields that the program manages, in the program's spelling; the others are left alone. */
function managedFields(resource: Resource, wanted: Values, found: RemoteRecord): Values {
  const managed = Object.entries(mergeRemote(resource, {}, found, true)).filter(
    ([name]) => wanted[name] !== undefined,
  );
  return Object.fromEntries(
    managed.map(([name, value]) => [
      name,
      fieldOf(resource, name).matches(wanted[name], value) ? wanted[name] : value,
    ]),
  );
}
