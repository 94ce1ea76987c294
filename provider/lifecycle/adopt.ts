import type { RemoteRecord } from "../schema/codec";
import { changedFields, inProgramSpelling } from "../schema/compare";
import { filterByKey } from "../schema/identity";
import { fieldOf, type Values } from "../schema/resource";
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
import { idOf, putFields } from "./put";

/**
 * The existing record that `adopt` takes over, if there is one, and the arguments that it does not have yet.
 * More than one is a `LifecycleError`.
 */
export async function findAdoptable(
  context: Context,
  args: Values,
): Promise<{ found: RemoteRecord; id: string; differs: string[] } | undefined> {
  const { resource, records } = context;
  const key = args[resource.key];
  const found = onlyMatch(context, args, filterByKey(resource, key, await records.findByKey(key)));
  return (
    found && {
      found,
      id: idOf(context, args, found),
      differs: changedFields(resource, managedFields(context, args, found), args),
    }
  );
}

/** The one record of several that have a key, where there is one. */
export function onlyMatch(
  { resource }: Context,
  values: Values,
  matches: readonly RemoteRecord[],
): RemoteRecord | undefined {
  if (matches.length > 1)
    throw new LifecycleError(
      `${describeRecord({ resource, values })}: ${describeMatches(matches)}; adopt needs exactly one`,
    );
  return matches[0];
}

/** Stops where a record is another resource's, or will be free too late. */
export function assertAvailable({ resource }: Context, values: Values, id: string, standing: Standing): void {
  const record = describeRecord({ resource, values, id });
  if (standing.is === "held")
    throw new LifecycleError(`${record} already belongs to ${describeOwner(standing.by)}`);
  if (standing.is === "late")
    throw new LifecycleError(
      `${record} belongs to ${describeOwner(standing.by)}, which moves away from it, and deletes it only after everything else is made; ` +
        "set deleteBeforeReplace: true there, or make the two changes one after the other",
    );
}

/** Makes an existing record this resource's, and sends what it does not have yet. */
export async function adopt(context: Context, wanted: Values, found: RemoteRecord): Promise<ResourceState> {
  const { resource, claims } = context;
  const id = idOf(context, wanted, found);
  if (!claims.take(id, wanted))
    throw new LifecycleError(
      `${describeRecord({ resource, values: wanted, id })} already belongs to ${describeOwner(claims.other(id, wanted)?.name)}`,
    );
  const has = managedFields(context, wanted, found);
  const names = changedFields(resource, has, wanted);
  if (names.length === 0) return { id, state: wanted };
  // From here on the record is this resource's, however the update ends.
  const managed = Object.fromEntries(Object.entries(has).filter(([name]) => !names.includes(name)));
  try {
    return await putFields(context, { id, olds: managed, wanted, names });
  } catch (error) {
    if (error instanceof PartialFailure) throw error;
    throw new PartialFailure(id, { ...managed, [resource.key]: wanted[resource.key] }, reasonOf(error));
  }
}

/** What a record has of the fields that the program manages, in the program's spelling; the others are left alone. */
function managedFields({ resource }: Context, wanted: Values, found: RemoteRecord): Values {
  const managed = Object.keys(resource.inputs)
    .filter((name) => wanted[name] !== undefined && found.values[name] != null)
    .map((name) => [name, inProgramSpelling(fieldOf(resource, name), wanted[name], found.values[name])]);
  return Object.fromEntries(managed);
}
