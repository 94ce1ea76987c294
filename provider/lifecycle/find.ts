import { isRecent, type Proves } from "../api/api";
import type { RemoteRecord } from "../schema/codec";
import { filterByKey, isSameRecord } from "../schema/identity";
import { pathOf, type Values } from "../schema/resource";
import type { Found } from "./account-guard";
import type { Context } from "./context";
import {
  describeDoubt,
  describeFailure,
  describeLacking,
  describeRecord,
  describeRenamed,
  describeUnreadable,
  LET_GO,
  LifecycleError,
  OtherRecord,
  otherIdFact,
  READOPT,
  type Subject,
} from "./errors";

/** One step of the lifecycle on a record in state: `values` are those in state. */
export interface Step extends Subject {
  readonly context: Context;
  /** What the step does to the record, for messages. */
  readonly verb: string;
  readonly id: string;
  /** The program's arguments, as far as they are known. */
  readonly wanted?: Values;
  /** Whether a list is recent enough. */
  readonly proves?: Proves | undefined;
}

/** What to do about a record in state that the service does not show. */
const FORGET = `drop it from state with "pulumi state delete --force URN". If others depend on it, Pulumi refuses that: then ${LET_GO}`;

/** Remembers a record that a resource of this run has in state. If it is there, this is the right account. */
export function remember(step: Step): void {
  const { resource, id } = step;
  const { guard, records } = step.context;
  guard.remembered.set(pathOf(resource, id), {
    look: () => look(step),
    isListed: () => records.seen()(id) !== undefined,
  });
}

/** Whether a write may rest on an answer. */
export const recently =
  ({ clock }: Context): Proves =>
  (evidence) =>
    isRecent(evidence, clock());

/** The record that state means, for a write; nothing only if it is gone. Throws if another record may be meant. */
export async function find(step: Step & { readonly proves: Proves }): Promise<RemoteRecord | undefined> {
  const found = await findOrRenamed(step);
  if (found?.renamed === undefined) return found?.record;
  throw describeRenamed(step, found.record, step.verb);
}

/**
 * The record that state means, even if someone has renamed it on the service. This is known by its id, if no record has
 * its old key, and another record of this state exists exactly as in state. Resolves with nothing only if the record is
 * gone: its absence is proved, and this is the right account.
 *
 * @param agrees whether a list is enough to know it
 */
export async function findOrRenamed(
  step: Step,
  agrees?: (listed: RemoteRecord) => boolean,
): Promise<Found | undefined> {
  const { guard, accountRemedy, records } = step.context;
  const found = await look(step, agrees);
  if (found !== undefined && found.renamed === undefined) return found;
  const doubt = await guard.doubt();
  if (doubt === undefined) return found;
  throw found?.renamed ?? describeDoubt(step, doubt, accountRemedy(), records.listed);
}

/** Throws if the list, which was asked for after a 404, shows the record: that outweighs it. */
function assertUnlisted(step: Step, listed: readonly RemoteRecord[]): void {
  if (listed.some(({ id }) => id === step.id))
    throw new LifecycleError(
      `${describeRecord(step)} is not found by its id, but its list shows it, so it counts as existing, and nothing was changed; run the same command again later`,
    );
}

/**
 * Looks at the record under the id of one in state, and tells the guard what this shows. Throws if the list has the
 * key in state under another id, as after an upgrade of the service.
 */
export function look(
  step: Step,
  agrees: (listed: RemoteRecord) => boolean = () => true,
): Promise<Found | undefined> {
  const { resource, id, values, wanted = {}, verb, proves } = step;
  const { records, guard, accountRemedy } = step.context;
  const key = values[resource.key];
  const isSame = (record: RemoteRecord) =>
    isSameRecord(resource, values, record) || isSameRecord(resource, wanted, record);

  async function run(): Promise<Found | undefined> {
    const record = await records.read(id, (listed) => isSame(listed) && agrees(listed), key, proves);
    if (record !== undefined && isSame(record)) return { record };
    if (key === undefined) throw describeLacking(step);
    if (record !== undefined && record.values[resource.key] == null)
      throw new LifecycleError(`${describeUnreadable(step, resource.key)}, so nothing was changed`);
    const remedy = `if it is gone there, ${FORGET}`;
    const listed = filterByKey(resource, key, await records.findByKey(key, { remedy, proves }));
    if (record === undefined) assertUnlisted(step, listed);
    // The list may be older than the look at this record.
    const others = listed.filter((each) => each.id !== id);
    if (others.length === 0)
      return record && { record, renamed: describeRenamed(step, record, verb, accountRemedy()) };
    throw new OtherRecord(
      otherIdFact(step, others),
      `First ${accountRemedy()}. If this is the right account, ${READOPT}`,
    );
  }
  const failed = (error: unknown) => {
    const hint = `its list does not show it: ${accountRemedy()}, and if they are right, ${FORGET}`;
    const isHidden = records.listed.isAll && records.seen()(id) === undefined;
    throw describeFailure(step, verb, error, isHidden ? hint : undefined);
  };
  return guard.ask(pathOf(resource, id), () => run().catch(failed));
}
