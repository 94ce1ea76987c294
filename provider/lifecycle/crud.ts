import { ApiError, type Response } from "../api/api";
import { getOwn } from "../api/json";
import type { RemoteRecord } from "../schema/codec";
import { changedFields, matchesState, mergeRemote, pick } from "../schema/compare";
import { formatIds } from "../schema/format";
import { filterByKey, isSameRecord } from "../schema/identity";
import { fieldOf, type Resource, type Values } from "../schema/resource";
import type { Context, ResourceState } from "./context";
import {
  assertSameRecord,
  describeFailure,
  describeOwner,
  describeRecord,
  LifecycleError,
  READOPT,
  withContext,
} from "./errors";
import { putFields } from "./write";

/**
 * The record as the service has it, or nothing if it is gone. Without a key in `state` (a first read), the result
 * has every field that the service returns.
 */
export async function read(context: Context, id: string, state: Values): Promise<ResourceState | undefined> {
  const { resource } = context;
  const found = await find(context, "read", id, state, (listed) => matchesState(resource, state, listed));
  const isFirst = state[resource.key] === undefined;
  return found && { id, state: mergeRemote(resource, state, found, isFirst) };
}

/** Whether, and how, new arguments differ from state. */
export function diff(
  resource: Resource,
  olds: Values,
  news: Values,
): { changes: boolean; replaces: string[] } {
  const names = changedFields(resource, olds, news);
  return { changes: names.length > 0, replaces: names.filter((name) => fieldOf(resource, name).replaces) };
}

/** Enters in the ledger whether a resource keeps its record. Throws if another resource owns that record. */
export function hold({ resource, ledger }: Context, id: string, news: Values, isReplaced: boolean): void {
  const other = ledger.compare(id, news, isReplaced);
  if (other === undefined) return;
  throw new LifecycleError(
    `${describeRecord({ resource, values: news, id })} also belongs to ${describeOwner(other.name)}: make the two changes one after the other; if state holds the record for both, drop one of them with "pulumi state delete"`,
  );
}

/** Sends the changed fields, and nothing else. */
export async function update(context: Context, id: string, olds: Values, news: Values): Promise<Values> {
  const { resource } = context;
  const subject = { resource, values: olds, id };
  const wanted = pick(resource, news);
  const names = changedFields(resource, olds, wanted);
  if (names.length === 0) return wanted;
  if ((await find(context, "updated", id, olds)) === undefined)
    throw new LifecycleError(
      `${describeRecord(subject)} is gone from the service; run "pulumi refresh", then "pulumi up" to recreate it`,
    );
  return (await putFields(context, { id, olds, wanted, names })).state;
}

/** Deletes the record, unless another resource owns it by now. Succeeds if it is gone already. */
export async function remove(context: Context, id: string, olds: Values): Promise<void> {
  const { resource, api, records, ledger, warn } = context;
  const subject = { resource, values: olds, id };
  const keeper = ledger.release(id, olds);
  if (keeper !== undefined) {
    const owner = describeOwner(keeper.name);
    return warn(`${describeRecord(subject)} is kept: ${owner} manages it now, or adopts it`);
  }
  const found = await find(context, "deleted", id, olds);
  if (found === undefined) return;
  let answer: Response;
  records.invalidate(id);
  try {
    answer = await api({ method: "DELETE", path: `${resource.path}/${encodeURIComponent(id)}` });
  } catch (error) {
    const doubtful =
      error instanceof ApiError && (error.failure === "missing" || error.failure === "unclear");
    if (doubtful && (await records.fetch(id, olds[resource.key]).catch(() => found)) === undefined) return;
    throw describeFailure(subject, "deleted", error);
  }
  const deleted = getOwn(answer.body, "deleted") ?? getOwn(getOwn(answer.body, "data"), "deleted");
  if ([false, 0, "0", "false"].some((no) => no === deleted))
    throw new LifecycleError(
      `${describeRecord(subject)} can't be deleted: the service answered that it did not delete it`,
    );
}

/**
 * Finds the record in state by its id; nothing only if it is proved to be gone. It is not gone if the list has its key
 * under another id: an upgrade of the service may give every record a new id.
 *
 * @param agrees whether a list is enough to know it
 */
function find(
  context: Context,
  verb: string,
  id: string,
  state: Values,
  agrees = (listed: RemoteRecord) => isSameRecord(context.resource, state, listed),
): Promise<RemoteRecord | undefined> {
  const { resource, records } = context;
  const subject = { resource, values: state, id };
  const key = state[resource.key];
  return withContext(subject, verb, async () => {
    if (key === undefined) return records.fetch(id);
    const found = await records.read(id, agrees, key);
    if (found !== undefined) assertSameRecord(subject, found);
    const others = found === undefined ? filterByKey(resource, key, await records.findByKey(key)) : [];
    if (others.length === 0) return found;
    throw new LifecycleError(
      `${describeRecord(subject)} has another id on the service now (${formatIds(others)}), so it is not gone, and nothing was changed; ${READOPT}`,
    );
  });
}
