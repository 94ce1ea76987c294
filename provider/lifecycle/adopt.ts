import type { Resource, Values } from "../schema/resource";
import { changed, type Found, fieldOf, settle, withKey } from "../schema/wire";
import { HalfDone, named, Problem, reasonOf, several } from "./problem";
import type { Kept, World } from "./world";
import { idOf, send } from "./write";

/**
 * The existing record that `adopt` takes over, if there is one, and the arguments that it does not have yet.
 * More than one candidate is a `Problem`. `near` is what was found already of records with such a key.
 */
export async function candidate(
  resource: Resource,
  world: World,
  args: Values,
  near?: readonly Found[],
): Promise<{ found: Found; differs: string[] } | undefined> {
  const key = args[resource.key];
  const matches = withKey(resource, key, near ?? (await world.records.findByKey(key)));
  if (matches.length > 1)
    throw new Problem(`${named(resource, args)}: ${several(matches)}; adopt can't choose`);
  const [found] = matches;
  return found && { found, differs: changed(resource, managedOf(resource, args, found), args) };
}

/** Makes an existing record this resource's, and sends what it does not have yet. */
export async function takeOver(
  resource: Resource,
  world: World,
  wanted: Values,
  found: Found,
): Promise<Kept> {
  const id = idOf(resource, wanted, found);
  if (world.claims.has(id))
    throw new Problem(`${named(resource, wanted, id)} already belongs to another resource of this program`);
  world.claims.add(id);
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
