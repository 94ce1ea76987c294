import { type IsFresh, isRecent } from "../api/api";
import type { RemoteRecord } from "../schema/codec";
import { hasKey, identify } from "../schema/identity";
import type { Values } from "../schema/resource";
import { ADVICE } from "./advice";
import type { Context } from "./context";
import { describeFailure, describeRecord, LifecycleError, type RecordInState } from "./errors";
import { describeDoubt, refusalFor, type Standing, standingOf } from "./standing";

/** A record in state, and what is to become of it: `values` are those in state. */
export interface ManagedRecord extends RecordInState {
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
async function findUnderKey(managed: ManagedRecord, record: RemoteRecord | undefined): Promise<Standing> {
  const { resource, id, values, isFresh } = managed;
  const { records, guard } = managed.context;
  const key = values[resource.key];
  const advice = `if it is gone there, ${ADVICE.drop}`;
  const similar = key === undefined ? [] : await records.findByKey(key, { advice, isFresh });
  // The list was asked for after the 404, so it outweighs that.
  const isListed = similar.some((listed) => listed.id === id && hasKey(resource, values, listed.values));
  if (record === undefined && isListed)
    throw new LifecycleError(
      `${describeRecord(managed)} is not found by its id, but its list shows it, so it counts as existing, and nothing was changed`,
      "Run the same command again later",
    );
  return standingOf(managed, record, similar, (found) => guard.idInState(resource, found));
}

async function findUnderId(
  managed: ManagedRecord,
  isEnough: (listed: RemoteRecord) => boolean = () => true,
): Promise<Standing> {
  const { resource, id, values, isFresh } = managed;
  const { records } = managed.context;
  const key = values[resource.key];
  const isSame = (found: RemoteRecord) => identify(resource, values, found) === "same";
  const record = await records.readById(id, (listed) => isSame(listed) && isEnough(listed), key, isFresh);
  const isShown = record?.values[resource.key] != null;
  if (record !== undefined && (isSame(record) || !isShown)) return standingOf(managed, record);
  return findUnderKey(managed, record);
}

/**
 * Returns how a record in state stands, and lets the account guard count it.
 *
 * @param isEnough whether what a list shows of it is all that the caller needs
 */
export function find(
  managed: ManagedRecord,
  isEnough?: (listed: RemoteRecord) => boolean,
): Promise<Standing> {
  const { records, guard, accountAdvice } = managed.context;
  const failed = (error: unknown) => {
    const advice = () => [
      `The list does not show the record: ${accountAdvice()}`,
      `If they are right and the record is gone, ${ADVICE.drop}`,
    ];
    throw describeFailure(managed, managed.verb, error, records.lacks(managed.id) ? advice() : []);
  };
  return guard.observe(managed, () => findUnderId(managed, isEnough).catch(failed));
}

/** Remembers a record that a resource of this run has in state. */
export function remember(managed: ManagedRecord): void {
  const { records, guard } = managed.context;
  const isListed = () => records.listedById()(managed.id) !== undefined;
  guard.remember(managed, { find: () => find(managed), isListed });
}

/**
 * Whether a record has another key than in state, and just the one that the program declares: someone has renamed `shop.com` to
 * `store.com` on the service, and the program says `store.com` by now, so nothing is replaced.
 */
export function isFollowed({ resource, news = {} }: ManagedRecord, { record, status }: Standing): boolean {
  return status !== "same" && record !== undefined && hasKey(resource, news, record.values);
}

/**
 * Finds a record for a read, whatever its name by now. Another record is taken only for a program that declares its key and says
 * `adopt`. A record that is missing is gone: that is proved, and this is the right account. Throws otherwise.
 *
 * @param isEnough whether what a list shows of it is all that the caller needs
 */
export async function findForRead(
  managed: ManagedRecord,
  isEnough?: (listed: RemoteRecord) => boolean,
): Promise<Standing> {
  const { guard, accountAdvice } = managed.context;
  const standing = await find(managed, isEnough);
  const { status } = standing;
  if (status === "same" || status === "renamed") return standing;
  if (isFollowed(managed, standing) && managed.news?.adopt === true) return standing;
  if (status !== "missing") throw refusalFor(standing, accountAdvice());
  const doubt = await guard.doubt();
  if (doubt === undefined) return standing;
  throw describeDoubt(managed, doubt, accountAdvice());
}

/** The same for a write, which also throws if someone has renamed the record and the program means another key. */
export async function findForWrite(
  managed: ManagedRecord & { readonly isFresh: IsFresh },
): Promise<Standing> {
  const standing = await findForRead(managed);
  if (standing.status !== "renamed" || isFollowed(managed, standing)) return standing;
  throw refusalFor(standing, managed.context.accountAdvice());
}
