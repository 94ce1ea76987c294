import { type Request, recordOf } from "../api/api";
import type { Resource, Values } from "../schema/resource";
import { decode, encode, type Found, fieldOf, shown, unlike } from "../schema/wire";
import { attempted, HalfDone, named, Problem, reasonOf } from "./problem";
import type { Kept, World } from "./world";

/** Sends the named arguments to an existing record. */
export async function send(
  resource: Resource,
  world: World,
  id: string,
  olds: Values,
  wanted: Values,
  names: readonly string[],
): Promise<Kept> {
  const request: Request = {
    method: "PUT",
    path: `${resource.path}/${encodeURIComponent(id)}`,
    form: encode(resource, wanted, names),
  };
  world.records.invalidate(id, { id, values: wanted });
  const answer = await attempted(resource, olds, "updated", () => world.api(request), id);
  const found = answer.body === undefined ? undefined : decode(resource, recordOf(request, answer));
  return confirm(resource, world, { id, found }, { olds, wanted, names });
}

/**
 * Compares what came back with what was sent. A difference, or an answer that says nothing, is read once more,
 * then reported.
 */
export async function confirm(
  resource: Resource,
  world: World,
  { id, found }: { id: string; found: Found | undefined },
  { olds, wanted, names }: { olds: Values; wanted: Values; names: readonly string[] },
): Promise<Kept> {
  world.records.invalidate(id, { id, values: wanted });
  const doubtful = found === undefined ? names : unlike(resource, wanted, names, found);
  if (doubtful.length === 0) return { id, state: wanted };
  // A field that can't be updated stays as it was sent: left out, it would ask for a replacement.
  const without = (left: readonly string[]) => {
    const open = left.filter((name) => !fieldOf(resource, name).replaces);
    return {
      ...olds,
      ...Object.fromEntries(Object.entries(wanted).filter(([name]) => !open.includes(name))),
    };
  };
  let stored: Found | undefined;
  try {
    stored = await world.records.fetch(id, wanted[resource.key]);
  } catch (error) {
    throw new HalfDone(
      id,
      without(doubtful),
      `${named(resource, wanted, id)} was written, and could not be read back: ${reasonOf(error)}`,
    );
  }
  if (stored === undefined)
    throw new HalfDone(
      id,
      without(doubtful),
      `${named(resource, wanted, id)} was written, and the service does not find it now; run the same command once more`,
    );
  const left = unlike(resource, wanted, names, stored);
  if (left.length === 0) return { id, state: wanted };
  const said = left.map((name) => {
    const field = fieldOf(resource, name);
    return `${name} is ${shown(field, stored.values[name])} where ${shown(field, wanted[name] ?? field.dropped)} was sent`;
  });
  throw new HalfDone(
    id,
    without(left),
    `the service did not store ${named(resource, wanted, id)} as asked: ${said.join(", ")}`,
  );
}

/** The id of a record that must have one. */
export function idOf(resource: Resource, wanted: Values, found: Found): string {
  if (found.id !== undefined) return found.id;
  throw new Problem(
    `${named(resource, wanted)} has an id on the service that can't be held exactly; nothing is kept of it`,
  );
}
