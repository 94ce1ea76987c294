import { ApiError, getOwn, type Response } from "../api/api";
import type { RemoteRecord } from "../schema/codec";
import { changedFields, matchesState, mergeRemote, pick } from "../schema/compare";
import { isSameRecord } from "../schema/identity";
import { fieldOf, type Resource, type Values } from "../schema/resource";
import type { Context, ResourceState } from "./context";
import {
  assertSameRecord,
  describeFailure,
  describeOwner,
  describeRecord,
  LifecycleError,
  withContext,
} from "./errors";
import { putFields } from "./verify";

/** Whether, and how, new arguments differ from what is kept. */
export function diff(
  resource: Resource,
  olds: Values,
  news: Values,
): { changes: boolean; replaces: string[] } {
  const names = changedFields(resource, olds, news);
  return { changes: names.length > 0, replaces: names.filter((name) => fieldOf(resource, name).replaces) };
}

/**
 * The record as the service has it, or nothing if it is gone. Without a key in `state` (a first read) all that
 * the service says is taken.
 */
export async function read(
  resource: Resource,
  context: Context,
  id: string,
  state: Values,
): Promise<ResourceState | undefined> {
  const first = state[resource.key] === undefined;
  const asExpected = (listed: RemoteRecord) => matchesState(resource, state, listed);
  const found = await withContext(
    resource,
    state,
    "read",
    () => context.records.read(id, asExpected, state[resource.key]),
    id,
  );
  if (found === undefined) return undefined;
  if (!first) assertSameRecord(context, state, id, found);
  return { id, state: mergeRemote(resource, state, found, first) };
}

/** Sends what changed, and nothing else. */
export async function update(
  resource: Resource,
  context: Context,
  id: string,
  olds: Values,
  news: Values,
): Promise<Values> {
  const wanted = pick(resource, news);
  const names = changedFields(resource, olds, wanted);
  if (names.length === 0) return wanted;
  const other = context.claims.other(id, wanted);
  if (other !== undefined)
    throw new LifecycleError(
      `${describeRecord(resource, olds, id)} belongs to ${describeOwner(other.name)} now, so nothing was changed`,
    );
  const found = await withContext(
    resource,
    olds,
    "updated",
    () => readForWrite(resource, context, id, olds),
    id,
  );
  if (found === undefined)
    throw new LifecycleError(
      `${describeRecord(resource, olds, id)} is gone from the service; run "pulumi refresh", and the next "pulumi up" creates it anew`,
    );
  assertSameRecord(context, olds, id, found);
  // Another resource may wait for the key that this one gives up.
  let done = false;
  try {
    const { state } = await putFields(resource, context, id, olds, wanted, names);
    done = true;
    return state;
  } finally {
    if (names.includes(resource.key)) context.claims.updated(id);
    if (!done) context.claims.refused();
  }
}

/** Deletes the record, unless it is another resource's by now; one that is gone already is fine. */
export async function remove(resource: Resource, context: Context, id: string, olds: Values): Promise<void> {
  // A run that failed may have left this record to two resources, and the other one keeps or renames it.
  if (!fieldOf(resource, resource.key).replaces || !context.claims.isDecided(olds))
    await context.claims.settled();
  const keeper = context.claims.leave(id, olds);
  if (keeper !== undefined)
    return context.warn(
      describeRecord(resource, olds, id),
      `is kept, since ${describeOwner(keeper.name)} has it now, or declares its ${resource.key}`,
    );
  let done = false;
  try {
    await removeOwn(resource, context, id, olds);
    done = true;
  } finally {
    context.claims.left(id, done);
  }
}

async function removeOwn(resource: Resource, context: Context, id: string, olds: Values): Promise<void> {
  const found = await withContext(
    resource,
    olds,
    "deleted",
    () => readForWrite(resource, context, id, olds),
    id,
  );
  if (found === undefined) return;
  assertSameRecord(context, olds, id, found);
  let answer: Response;
  context.records.invalidate(id);
  try {
    answer = await context.api({ method: "DELETE", path: `${resource.path}/${encodeURIComponent(id)}` });
  } catch (error) {
    const doubtful =
      error instanceof ApiError && (error.failure === "missing" || error.failure === "unclear");
    if (doubtful && (await context.records.fetch(id, olds[resource.key]).catch(() => found)) === undefined)
      return;
    throw describeFailure(resource, olds, "deleted", error, undefined, id);
  }
  const deleted = getOwn(answer.body, "deleted") ?? getOwn(getOwn(answer.body, "data"), "deleted");
  if ([false, 0, "0", "false"].some((no) => no === deleted))
    throw new LifecycleError(
      `${describeRecord(resource, olds, id)} can't be deleted: the service answered that it did not delete it`,
    );
}

function readForWrite(
  resource: Resource,
  context: Context,
  id: string,
  olds: Values,
): Promise<RemoteRecord | undefined> {
  return context.records.read(id, (listed) => isSameRecord(resource, olds, listed), olds[resource.key]);
}
