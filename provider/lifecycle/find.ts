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

/** One step of the lifecycle on a record in state: `values` are those in state. */
export interface Step extends RecordInState {
  readonly context: Context;
  /** What the step does to the record, for messages. */
  readonly verb: string;
  /** The program's arguments, as far as they are known. */
  readonly news?: Values;
  /** Whether a list is recent enough. */
  readonly isFresh?: IsFresh | undefined;
}

/** Remembers a record that a resource of this run has in state. */
export function remember(step: Step): void {
  const { records, guard } = step.context;
  const isListed = () => records.listedById()(step.id) !== undefined;
  guard.remember(step, { find: () => find(step), isListed });
}

/** Whether a write may rest on an answer. */
export const isRecentEnough =
  ({ clock }: Context): IsFresh =>
  (evidence) =>
    isRecent(evidence, clock());

/** Whether a record has another key than in state, and just the one that the program declares. */
export function isFollowed({ resource, news = {} }: Step, { record, status }: Standing): boolean {
  return status !== "same" && record !== undefined && hasKey(resource, news, record.values);
}

/**
 * How a record in state stands, for a write: as in state, gone, or with the key that the program declares. Throws if the
 * program means another key.
 */
export async function findForWrite(step: Step & { readonly isFresh: IsFresh }): Promise<Standing> {
  const standing = await findForRead(step);
  if (standing.status !== "renamed" || isFollowed(step, standing)) return standing;
  throw refusalFor(standing, step.context.accountAdvice());
}

/**
 * The same, for a read: even if someone has renamed it on the service. Another record is taken only for a program that declares
 * its key and says `adopt`. A record that is missing is gone: that is proved, and this is the right account.
 *
 * @param isEnough whether a list is enough to know it
 */
export async function findForRead(
  step: Step,
  isEnough?: (listed: RemoteRecord) => boolean,
): Promise<Standing> {
  const { guard, accountAdvice } = step.context;
  const standing = await find(step, isEnough);
  const { status } = standing;
  if (status === "same" || status === "renamed") return standing;
  if (isFollowed(step, standing) && step.news?.adopt === true) return standing;
  if (status !== "missing") throw refusalFor(standing, accountAdvice());
  const doubt = await guard.doubt();
  if (doubt === undefined) return standing;
  throw describeDoubt(step, doubt, accountAdvice());
}

/** Looks under the id of a record in state, and tells the guard how it stands. */
export function find(step: Step, isEnough?: (listed: RemoteRecord) => boolean): Promise<Standing> {
  const { records, guard, accountAdvice } = step.context;
  const failed = (error: unknown) => {
    const advice = `its list does not show it: ${accountAdvice()}, and if they are right, ${ADVICE.drop}`;
    throw describeFailure(step, step.verb, error, records.lacks(step.id) ? advice : undefined);
  };
  return guard.observe(step, () => findUnderId(step, isEnough).catch(failed));
}

async function findUnderId(
  step: Step,
  isEnough: (listed: RemoteRecord) => boolean = () => true,
): Promise<Standing> {
  const { resource, id, values, isFresh } = step;
  const { records } = step.context;
  const key = values[resource.key];
  const isSame = (found: RemoteRecord) => identify(resource, values, found) === "same";
  const record = await records.readById(id, (listed) => isSame(listed) && isEnough(listed), key, isFresh);
  if (record !== undefined && isSame(record)) return standingOf(step, record);
  if (record !== undefined && record.values[resource.key] == null)
    throw new LifecycleError(`${describeUnreadable(step, resource.key)}, so nothing was changed`);
  return findUnderKey(step, record);
}

/** Looks for the key in state, whose record is not under its id. */
async function findUnderKey(step: Step, record: RemoteRecord | undefined): Promise<Standing> {
  const { resource, id, values, isFresh } = step;
  const { records, guard } = step.context;
  const key = values[resource.key];
  const advice = `if it is gone there, ${ADVICE.drop}`;
  const similar = key === undefined ? [] : await records.findByKey(key, { advice, isFresh });
  // The list was asked for after the 404, so it outweighs that.
  if (
    record === undefined &&
    similar.some((record) => record.id === id && hasKey(resource, values, record.values))
  )
    throw new LifecycleError(
      `${describeRecord(step)} is not found by its id, but its list shows it, so it counts as existing, and nothing was changed; run the same command again later`,
    );
  return standingOf(step, record, similar, (found) => guard.idInState(resource, found));
}
