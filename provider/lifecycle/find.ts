import { type IsFresh, isRecent } from "../api/api";
import type { RemoteRecord } from "../schema/codec";
import { ADVICE } from "./advice";
import type { Context } from "./context";
import { describeFailure, describeRecord, LifecycleError, type RecordInState } from "./errors";
import { isAsInState, refusalFor, refusalForDoubt, type Standing, standingOf } from "./standing";

/** A record in state, and what is to become of it: `values` are those in state. */
export interface ManagedRecord extends RecordInState {
  readonly context: Context;
  /** What becomes of the record, for messages, such as "updated". */
  readonly verb: string;
  /** Whether a list is recent enough. */
  readonly isFresh?: IsFresh | undefined;
  /** Whether what a list shows of the record is all that the caller needs. */
  readonly isEnough?: (listed: RemoteRecord) => boolean;
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
  // `fetchById` has read a list after its 404; what shows the record now came later still, and outweighs the 404.
  const isListed = similar.some((listed) => listed.id === id);
  if (record === undefined && isListed)
    throw new LifecycleError(
      `${describeRecord(managed)} is not found by its id, but its list shows it, so it counts as existing, and nothing was changed`,
      "Run the same command again later",
    );
  return standingOf(managed, record, similar, (found) => guard.idInState(resource, found));
}

async function findUnderId(managed: ManagedRecord): Promise<Standing> {
  const { resource, id, values, isFresh, isEnough = () => true } = managed;
  const { records } = managed.context;
  const key = values[resource.key];
  const record = await records.readById(
    id,
    (listed) => isAsInState(managed, listed) && isEnough(listed),
    key,
    isFresh,
  );
  const isShown = record?.values[resource.key] != null;
  if (record !== undefined && (isAsInState(managed, record) || !isShown)) return standingOf(managed, record);
  return findUnderKey(managed, record);
}

/** Returns how a record in state stands, and lets the account guard count it. */
function find(managed: ManagedRecord): Promise<Standing> {
  const { records, guard, accountAdvice } = managed.context;
  const failed = (error: unknown) => {
    const advice = () => [
      `The list does not show the record: ${accountAdvice()}`,
      `If they are right and the record is gone, ${ADVICE.drop}`,
    ];
    throw describeFailure(managed, managed.verb, error, records.lacks(managed.id) ? advice() : []);
  };
  return guard.countLook(managed, () => findUnderId(managed).catch(failed));
}

/** Remembers a record that a resource of this run has in state. */
export function remember(managed: ManagedRecord): void {
  const { records, guard } = managed.context;
  const isListed = () => records.listedById()(managed.id) !== undefined;
  guard.remember(managed, { find: () => find(managed), isListed });
}

/**
 * Decides which record a program means: the one in state, if it is there. One that is missing is gone: that is proved, and this
 * is the right account. Throws otherwise. Every step that reads or writes a record in state asks here.
 */
export async function assertMeant(managed: ManagedRecord): Promise<Standing> {
  const { guard, accountAdvice } = managed.context;
  const standing = await find(managed);
  if (standing.status === "same") return standing;
  if (standing.status !== "missing") throw refusalFor(standing, accountAdvice());
  const doubt = await guard.doubt();
  if (doubt === undefined) return standing;
  throw refusalForDoubt(managed, doubt, accountAdvice());
}
