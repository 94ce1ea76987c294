import { ApiError, type Request, UnexpectedAnswer } from "../api/api";
import { getOwn } from "../api/json";
import { lackingArgument, type RemoteRecord } from "../schema/codec";
import { changedFields, matchesState, mergeRemote, pick } from "../schema/compare";
import { scalar } from "../schema/field";
import { formatIds } from "../schema/format";
import { filterByKey, isSameRecord } from "../schema/identity";
import { fieldOf, pathOf, type Resource, type Values } from "../schema/resource";
import type { Context, ResourceState } from "./context";
import {
  assertSame,
  describeDoubt,
  describeFailure,
  describeRecord,
  describeUnreadable,
  LET_GO,
  LifecycleError,
  OtherRecord,
  readopt,
  type Subject,
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
  const lacking = found && isFirst ? lackingArgument(resource, found) : undefined;
  if (found && lacking !== undefined)
    throw new LifecycleError(describeUnreadable({ resource, values: state, id }, lacking));
  return found && { id, state: mergeRemote(resource, state, found, isFirst) };
}

/** The arguments that differ from state, and which of them need a new record. */
export function diff(resource: Resource, olds: Values, news: Values) {
  const changed = changedFields(resource, olds, news);
  return { changed, replaces: changed.filter((name) => fieldOf(resource, name).replaces) };
}

/** Sends the changed fields, and nothing else. */
export async function update(context: Context, id: string, olds: Values, news: Values): Promise<Values> {
  const { resource } = context;
  const subject = { resource, values: olds, id };
  const wanted = pick(resource, news);
  const names = changedFields(resource, olds, wanted);
  if (names.length === 0) return wanted;
  // A run that was killed may have sent this update already.
  if ((await find(context, "updated", id, olds, undefined, wanted)) === undefined)
    throw new LifecycleError(
      `${describeRecord(subject)} is gone from the service. First ${context.accountRemedy()}. If this is the right account, "pulumi up --refresh" creates it again`,
    );
  if (names.includes(resource.key))
    await withContext(subject, "updated", () => assertFree(context, subject, wanted));
  return (await putFields(context, { id, olds, wanted, names })).state;
}

/** Throws if another record has the new key: the service would refuse it for ever, or hold two that no one can tell apart. */
async function assertFree(context: Context, subject: Subject, wanted: Values): Promise<void> {
  const { resource, records, ledger } = context;
  const key = wanted[resource.key];
  const listed = filterByKey(resource, key, await records.findByKey(key));
  const other = listed.find((each) => each.id !== subject.id);
  if (other?.id === undefined) return;
  const owner = ledger.other(other.id, wanted);
  throw new LifecycleError(
    `${describeRecord(subject)} can't be updated: ${describeRecord({ resource, values: other.values, id: other.id })} exists already${
      owner === undefined ? "" : `, and belongs to ${owner}`
    }; change the ${resource.key} of that one first, in a run of its own, or choose another ${resource.key}`,
  );
}

/** Milliseconds before the looks at a record whose DELETE may be lost. If it is still there, the DELETE is sent again. */
const RECHECK_DELAYS_MS = [500, 2000];

/**
 * Deletes the record, unless another resource owns it by now. Succeeds if it is gone already. A DELETE is never repeated
 * blindly: meanwhile the service may have given the id to a record that this run has made.
 *
 * @param refusal why a record that is there must not be deleted
 */
export async function remove(context: Context, id: string, olds: Values, refusal?: string): Promise<void> {
  const { resource, records, ledger, warn } = context;
  const subject: Subject = { resource, values: olds, id };
  const tell = (groupKey: string) => warn({ text: `${describeRecord(subject)} ${groupKey}`, groupKey });
  for (let sent = 0; ; sent += 1) {
    const keeper = ledger.release(id, olds);
    if (keeper !== undefined) return tell(`is kept: ${keeper} manages it now, or adopts it`);
    if (sent === 0 && (await find(context, "deleted", id, olds)) === undefined)
      return tell("was not found, so nothing was deleted");
    if (refusal !== undefined) throw new LifecycleError(refusal);
    records.invalidate(id);
    const failure = await sendDelete(context, id);
    if (failure === undefined || !(await isStillThere(context, subject, failure, RECHECK_DELAYS_MS[sent])))
      return;
  }
}

/**
 * Looks at a record whose DELETE may not be done. Throws if it is there, unless the answer was lost and nobody may have
 * got the id since: then the DELETE can be sent again.
 */
async function isStillThere(
  context: Context,
  subject: Subject,
  failure: ApiError,
  wait?: number,
): Promise<boolean> {
  const { resource, records, ledger } = context;
  const { id = "", values } = subject;
  const failed = describeFailure(subject, "deleted", failure);
  if (failure.failure !== "missing" && failure.failure !== "unclear") throw failed;
  const isLost =
    failure.failure === "unclear" && !(failure instanceof UnexpectedAnswer) && wait !== undefined;
  if (isLost) await context.sleep(wait);
  const now = await records.fetch(id, values[resource.key]).catch(() => {
    throw failed;
  });
  if (now === undefined || !isSameRecord(resource, values, now)) return false;
  if (!isLost || ledger.declares(now.values)) throw failed;
  return true;
}

/** Sends one DELETE. Returns why it may not be done, unless the answer is empty or says that this record is deleted. */
async function sendDelete({ resource, api }: Context, id: string): Promise<ApiError | undefined> {
  const request: Request = { method: "DELETE", path: pathOf(resource, id) };
  try {
    const { status, body } = await api(request);
    const data = [getOwn(body, "data"), body].find((each) => getOwn(each, "deleted") !== undefined);
    const isThis = scalar(getOwn(data, "id") ?? id) === id;
    const isDone = isThis && ["true", "1"].includes(scalar(getOwn(data, "deleted")) ?? "");
    // The service has only accepted a 202, and a 207 tells of several records.
    if ([200, 204].includes(status) && (body === undefined || isDone)) return undefined;
    const what = `the service answered ${status}, but still has it; run the same command again`;
    return new UnexpectedAnswer(request, what);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Remembers a record that a resource of this run has in state. If it is there, this is the right account. */
export function keep(context: Context, id: string, state: Values, isReplaced = false): void {
  const { account, records, resource } = context;
  (isReplaced ? account.replaced : account.kept).set(pathOf(resource, id), {
    look: () => look(context, "looked for", id, state),
    isListed: () => records.seen()(id) !== undefined,
  });
}

/** Finds the record in state; nothing only if it is gone: its absence is proved, and this is the right account. */
async function find(
  context: Context,
  verb: string,
  id: string,
  state: Values,
  agrees?: (listed: RemoteRecord) => boolean,
  wanted?: Values,
): Promise<RemoteRecord | undefined> {
  const { resource, records, account, accountRemedy } = context;
  const subject = { resource, values: state, id };
  if (state[resource.key] === undefined) return withContext(subject, verb, () => records.fetch(id));
  const found = await look(context, verb, id, state, agrees, wanted);
  const doubt = found === undefined ? await account.doubt() : undefined;
  if (doubt === undefined) return found;
  throw describeDoubt(subject, verb, doubt, accountRemedy(), records.listed);
}

/** What to do about a record in state that the service does not show. */
const FORGET = `drop it from state with "pulumi state delete --force URN". If others depend on it, Pulumi refuses that: then ${LET_GO}`;

/**
 * Looks for the record in state by its id; nothing only if it is proved not to be in this account. It is there if the
 * list has its key under another id, as after an upgrade of the service.
 *
 * @param agrees whether a list is enough to know it
 * @param wanted it may have these values already
 */
async function look(
  context: Context,
  verb: string,
  id: string,
  state: Values,
  agrees = (listed: RemoteRecord) => isSameRecord(context.resource, state, listed),
  wanted = state,
): Promise<RemoteRecord | undefined> {
  const { resource, records, account, accountRemedy } = context;
  const subject = { resource, values: state, id };
  const key = state[resource.key];
  const run = async () => {
    const found = await records.read(id, agrees, key);
    if (found !== undefined) assertSame(subject, wanted, found, accountRemedy, verb);
    const remedy = `if it is gone there, ${FORGET}`;
    const others = found ? [] : filterByKey(resource, key, await records.findByKey(key, { remedy }));
    if (others.length === 0) return found;
    throw new OtherRecord(
      `${describeRecord(subject)} has another id on the service now (${formatIds(others)})`,
      readopt(accountRemedy(), verb),
    );
  };
  const failed = (error: unknown) => {
    const hint = `its list does not show it: ${accountRemedy()}, and if they are right, ${FORGET}`;
    const isHidden = records.listed.isAll && records.seen()(id) === undefined;
    throw describeFailure(subject, verb, error, isHidden ? hint : undefined);
  };
  return account.ask(pathOf(resource, id), () => run().catch(failed));
}
