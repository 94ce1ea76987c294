import { ApiError, getOwn, type Response } from "../api/api";
import type { Resource, Values } from "../schema/resource";
import { agrees, changed, type Found, fieldOf, isSame, pick, settle } from "../schema/wire";
import { assertSame, attempted, called, failed, named, Problem } from "./problem";
import type { Kept, World } from "./world";
import { send } from "./write";

/** Whether, and how, new arguments differ from what is kept. */
export function diff(
  resource: Resource,
  olds: Values,
  news: Values,
): { changes: boolean; replaces: string[] } {
  const names = changed(resource, olds, news);
  return { changes: names.length > 0, replaces: names.filter((name) => fieldOf(resource, name).replaces) };
}

/**
 * The record as the service has it, or nothing if it is gone. Without a key in `state` (a first read) all that
 * the service says is taken.
 */
export async function read(
  resource: Resource,
  world: World,
  id: string,
  state: Values,
): Promise<Kept | undefined> {
  const first = state[resource.key] === undefined;
  const asExpected = (listed: Found) => agrees(resource, state, listed);
  const found = await attempted(
    resource,
    state,
    "read",
    () => world.records.read(id, asExpected, state[resource.key]),
    id,
  );
  if (found === undefined) return undefined;
  if (!first) assertSame(resource, state, id, found);
  return { id, state: settle(resource, state, found, first) };
}

/** Sends what changed, and nothing else. */
export async function update(
  resource: Resource,
  world: World,
  id: string,
  olds: Values,
  news: Values,
): Promise<Values> {
  const wanted = pick(resource, news);
  const names = changed(resource, olds, wanted);
  if (names.length === 0) return wanted;
  const other = world.claims.other(id, wanted);
  if (other !== undefined)
    throw new Problem(
      `${named(resource, olds, id)} belongs to ${called(other.name)} now, so nothing was changed`,
    );
  const found = await attempted(resource, olds, "updated", () => stillThere(resource, world, id, olds), id);
  if (found === undefined)
    throw new Problem(
      `${named(resource, olds, id)} is gone from the service; run "pulumi refresh", and the next "pulumi up" creates it anew`,
    );
  assertSame(resource, olds, id, found);
  // Another resource may wait for the key that this one gives up.
  let done = false;
  try {
    const { state } = await send(resource, world, id, olds, wanted, names);
    done = true;
    return state;
  } finally {
    if (names.includes(resource.key)) world.claims.updated(id);
    if (!done) world.claims.refused();
  }
}

/** Deletes the record, unless it is another resource's by now; one that is gone already is fine. */
export async function remove(resource: Resource, world: World, id: string, olds: Values): Promise<void> {
  // A run that failed may have left this record to two resources, and the other one keeps or renames it.
  if (!fieldOf(resource, resource.key).replaces || !world.claims.isDecided(olds))
    await world.claims.settled();
  const keeper = world.claims.leave(id, olds);
  if (keeper !== undefined)
    return world.say(
      named(resource, olds, id),
      `is kept, since ${called(keeper.name)} has it now, or declares its ${resource.key}`,
    );
  let done = false;
  try {
    await removeOwn(resource, world, id, olds);
    done = true;
  } finally {
    world.claims.left(id, done);
  }
}

async function removeOwn(resource: Resource, world: World, id: string, olds: Values): Promise<void> {
  const found = await attempted(resource, olds, "deleted", () => stillThere(resource, world, id, olds), id);
  if (found === undefined) return;
  assertSame(resource, olds, id, found);
  let answer: Response;
  world.records.invalidate(id);
  try {
    answer = await world.api({ method: "DELETE", path: `${resource.path}/${encodeURIComponent(id)}` });
  } catch (error) {
    const doubtful =
      error instanceof ApiError && (error.failure === "missing" || error.failure === "unclear");
    if (doubtful && (await world.records.fetch(id, olds[resource.key]).catch(() => found)) === undefined)
      return;
    throw failed(resource, olds, "deleted", error, undefined, id);
  }
  const deleted = getOwn(answer.body, "deleted") ?? getOwn(getOwn(answer.body, "data"), "deleted");
  if ([false, 0, "0", "false"].some((no) => no === deleted))
    throw new Problem(
      `${named(resource, olds, id)} can't be deleted: the service answered that it did not delete it`,
    );
}

function stillThere(resource: Resource, world: World, id: string, olds: Values): Promise<Found | undefined> {
  return world.records.read(id, (listed) => isSame(resource, olds, listed), olds[resource.key]);
}
