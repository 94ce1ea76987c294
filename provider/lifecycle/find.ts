import { type IsFresh, isRecent } from "../api/api";
import type { RemoteRecord } from "../schema/codec";
import { hasKey, identify } from "../schema/identity";
import type { Values } from "../schema/resource";
import { ADVICE } from "./advice";
import type { Context } from "./context";
import {
  describeFailure,
  describeRecord,
  describeUnreadable,
  LifecycleError,
  type RecordInState,
} from "./errors";
import { describeDoubt, refusalFor, type Standing, standingOf } from "./standing";

/** An operation of the engine on a record in state: `values` are those in state. */
export interface Operation extends RecordInState {
  readonly context: Context;
  /** What becomes of the record, for messages, such as "updated". */
  readonly verb: string;
  /** The program's arguments, as far as they are known. */
  readonly news?: Values;
  /** Whether a list is recent enough. */
  readonly isFresh?: IsFresh | undefined;
}

/**
 * Whether a write may rest on an answer. Between a preview and its `up` somebody may have deleted a record, and created another
 * one that has its id: a list from the preview would have the delete hit that one.
 */
export const isRecentEnough =
  ({ clock }: Context): IsFresh =>
  (evidence) =>
    isRecent(evidence, clock());

/** Looks for the key in state, whose record is not under its id. */
async function findUnderKey(operation: Operation, record: RemoteRecord | undefined): Promise<Standing> {
  const { resource, id, values, isFresh } = operation;
  const { records, guard } = operation.context;
  const key = values[resource.key];
  const advice = `if it is gone there, ${ADVICE.drop}`;
  const similar = key === undefined ? [] : await records.findByKey(key, { advice, isFresh });
  // The list was asked for after the 404, so it outweighs that.
  const isListed = similar.some((listed) => listed.id === id && hasKey(resource, values, listed.values));
  if (record === undefined && isListed)
    throw new LifecycleError(
      `${describeRecord(operation)} is not found by its id, but its list shows it, so it counts as existing, and nothing was changed`,
      "Run the same command again later",
    );
  return standingOf(operation, record, similar, (found) => guard.idInState(resource, found));
}

async function findUnderId(
  operation: Operation,
  isEnough: (listed: RemoteRecord) => boolean = () => true,
): Promise<Standing> {
  const { resource, id, values, isFresh } = operation;
  const { records } = operation.context;
  const key = values[resource.key];
  const isSame = (found: RemoteRecord) => identify(resource, values, found) === "same";
  const record = await records.readById(id, (listed) => isSame(listed) && isEnough(listed), key, isFresh);
  if (record !== undefined && isSame(record)) return standingOf(operation, record);
  if (record !== undefined && record.values[resource.key] == null)
    throw new LifecycleError(`${describeUnreadable(operation, resource.key)}, so nothing was changed`);
  return findUnderKey(operation, record);
}

/**
 * Returns how a record in state stands, and lets the account guard count it.
 *
 * @param isEnough whether what a list shows of it is all that the caller needs
 */
export function find(operation: Operation, isEnough?: (listed: RemoteRecord) => boolean): Promise<Standing> {
  const { records, guard, accountAdvice } = operation.context;
  const failed = (error: unknown) => {
    const advice = () => [
      `The list does not show ${describeRecord(operation)}: ${accountAdvice()}`,
      `If they are right, ${ADVICE.drop}`,
    ];
    throw describeFailure(operation, operation.verb, error, records.lacks(operation.id) ? advice() : []);
  };
  return guard.observe(operation, () => findUnderId(operation, isEnough).catch(failed));
}

/** Remembers a record that a resource of this run has in state. */
export function remember(operation: Operation): void {
  const { records, guard } = operation.context;
  const isListed = () => records.listedById()(operation.id) !== undefined;
  guard.remember(operation, { find: () => find(operation), isListed });
}

/**
 * Whether a record has another key than in state, and just the one that the program declares: someone has renamed `shop.com` to
 * `store.com` on the service, and the program says `store.com` by now, so nothing is replaced.
 */
export function isFollowed({ resource, news = {} }: Operation, { record, status }: Standing): boolean {
  return status !== "same" && record !== undefined && hasKey(resource, news, record.values);
}

/**
 * Finds a record for a read, whatever its name by now. Another record is taken only for a program that declares its key and says
 * `adopt`. A record that is missing is gone: that is proved, and this is the right account. Throws otherwise.
 *
 * @param isEnough whether what a list shows of it is all that the caller needs
 */
export async function findForRead(
  operation: Operation,
  isEnough?: (listed: RemoteRecord) => boolean,
): Promise<Standing> {
  const { guard, accountAdvice } = operation.context;
  const standing = await find(operation, isEnough);
  const { status } = standing;
  if (status === "same" || status === "renamed") return standing;
  if (isFollowed(operation, standing) && operation.news?.adopt === true) return standing;
  if (status !== "missing") throw refusalFor(standing, accountAdvice());
  const doubt = await guard.doubt();
  if (doubt === undefined) return standing;
  throw describeDoubt(operation, doubt, accountAdvice());
}

/** The same for a write, which also throws if someone has renamed the record and the program means another key. */
export async function findForWrite(operation: Operation & { readonly isFresh: IsFresh }): Promise<Standing> {
  const standing = await findForRead(operation);
  if (standing.status !== "renamed" || isFollowed(operation, standing)) return standing;
  throw refusalFor(standing, operation.context.accountAdvice());
}
