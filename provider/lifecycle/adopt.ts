import type { Resource, Values } from "../schema/resource";
import { changed, type Found, fieldOf, settle, withKey } from "../schema/wire";
import type { Standing } from "./ownership";
import { called, HalfDone, named, Problem, reasonOf, several } from "./problem";
import type { Kept, World } from "./world";
import { idOf, send } from "./write";

/**
 * The existing record that `adopt` takes over, if there is one, and the arguments that it does not have yet.
 * More than one is a `Problem`.
 */
export async function candidate(
  resource: Resource,
  world: World,
  args: Values,
): Promise<{ found: Found; id: string; differs: string[] } | undefined> {
  const key = args[resource.key];
  const found = only(resource, args, withKey(resource, key, await world.records.findByKey(key)));
  return (
    found && {
      found,
      id: idOf(resource, args, found),
      differs: changed(resource, managedOf(resource, args, found), args),
    }
  );
}

/** The one record of several that have a key, where there is one. */
export function only(resource: Resource, args: Values, matches: readonly Found[]): Found | undefined {
  if (matches.length > 1)
    throw new Problem(`${named(resource, args)}: ${several(matches)}; adopt can't choose`);
  return matches[0];
}

/** Stops where a record is another resource's, or will be free too late. */
export function refuseOthers(resource: Resource, args: Values, id: string, standing: Standing): void {
  if (standing.is === "held")
    throw new Problem(`${named(resource, args, id)} already belongs to ${called(standing.by)}`);
  if (standing.is === "late")
    throw new Problem(
      `${named(resource, args, id)} belongs to ${called(standing.by)}, which moves away from it, and deletes it only after everything else is made; ` +
        "set deleteBeforeReplace: true there, or make the two changes one after the other",
    );
}

/** Makes an existing record this resource's, and sends what it does not have yet. */
export async function takeOver(
  resource: Resource,
  world: World,
  wanted: Values,
  found: Found,
): Promise<Kept> {
  const id = idOf(resource, wanted, found);
  if (!world.claims.take(id, wanted))
    throw new Problem(
      `${named(resource, wanted, id)} already belongs to ${called(world.claims.other(id, wanted)?.name)}`,
    );
  const has = managedOf(resource, wanted, found);
  const names = changed(resource, has, wanted);
  if (names.length === 0) return { id, state: wanted };
  // From here on the record is this resource's, however the update ends.
  const managed = Object.fromEntries(Object.entries(has).filter(([name]) => !names.includes(name)));
  try {
    return await send(resource, world, id, managed, wanted, names);
  } catch (error) {
    if (error instanceof HalfDone) throw error;
    throw new HalfDone(id, { ...managed, [resource.key]: wanted[resource.key] }, reasonOf(error));
  }
}

/** What a record has of the fields that the program manages, in the program's spelling; the others are left alone. */
function managedOf(resource: Resource, wanted: Values, found: Found): Values {
  const managed = Object.entries(settle(resource, {}, found, true)).filter(
    ([name]) => wanted[name] !== undefined,
  );
  return Object.fromEntries(
    managed.map(([name, value]) => [
      name,
      fieldOf(resource, name).keeps(wanted[name], value) ? wanted[name] : value,
    ]),
  );
}
