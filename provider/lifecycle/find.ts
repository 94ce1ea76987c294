import { isRecent, type Proves } from "../api/api";
import type { RemoteRecord } from "../schema/codec";
import { canonicalKey, filterByKey, isAsOld, isSameRecord } from "../schema/identity";
import { pathOf, type Resource, type Values } from "../schema/resource";
import type { Context } from "./context";
import {
  describeDoubt,
  describeFailure,
  describeRecord,
  describeStanding,
  describeUnreadable,
  LET_GO,
  LifecycleError,
  type Standing,
  type Subject,
} from "./errors";

/** One step of the lifecycle on a record in state: `values` are those in state. */
export interface Step extends Subject {
  readonly context: Context;
  /** What the step does to the record, for messages. */
  readonly verb: string;
  readonly id: string;
  /** The program's arguments, as far as they are known. */
  readonly news?: Values;
  /** Whether a list is recent enough. */
  readonly proves?: Proves | undefined;
}

/** What to do about a record in state that the service does not show. */
const FORGET = `drop it from state with "pulumi state delete --force URN". If others depend on it, Pulumi refuses that: then ${LET_GO}`;

/** Remembers a record that a resource of this run has in state. */
export function remember(step: Step): void {
  const { context, resource, id, values } = step;
  const { records, guard } = context;
  const isListed = () => records.seen()(id) !== undefined;
  guard.remember(pathOf(resource, id), keyOf(resource, values), { look: () => look(step), isListed });
}

/** Whether a write may rest on an answer. */
export const recently =
  ({ clock }: Context): Proves =>
  (evidence) =>
    isRecent(evidence, clock());

/** Whether a record has another key than in state, and just the one that the program declares. */
export function isFollowed({ resource, news = {} }: Step, { record, isSame }: Standing): boolean {
  return !isSame && record !== undefined && isSameRecord(resource, news, record);
}

/** The record that state means, for a write; nothing only if it is gone. Throws if the program means another key. */
export async function find(step: Step & { readonly proves: Proves }): Promise<RemoteRecord | undefined> {
  const standing = await findOrRenamed(step);
  const { record, isSame } = standing;
  if (record === undefined || isSame || isFollowed(step, standing)) return record;
  throw describeStanding(standing);
}

/**
 * The same, even if someone has renamed it on the service. This is known by its id and the time of its creation, if no other
 * record has its old key; the program's key alone proves nothing, unless it says `adopt`. A record that is gone is absent: that
 * is proved, and this is the right account.
 *
 * @param agrees whether a list is enough to know it
 */
export async function findOrRenamed(
  step: Step,
  agrees?: (listed: RemoteRecord) => boolean,
): Promise<Standing> {
  const { guard, accountRemedy } = step.context;
  const standing = await look(step, agrees);
  if (standing.isSame || standing.isRenamed) return standing;
  if (isFollowed(step, standing) && step.news?.adopt === true) return { ...standing, others: [] };
  if (standing.record !== undefined || standing.others.length > 0)
    throw describeStanding(standing, accountRemedy());
  const doubt = await guard.doubt();
  if (doubt === undefined) return standing;
  throw describeDoubt(step, doubt, accountRemedy());
}

/** A key among those of all kinds of records. */
const keyOf = (resource: Resource, values: Values) => `${resource.path} ${canonicalKey(resource, values)}`;

/** Looks at the record under the id of one in state, and tells the guard how it stands. */
export function look(step: Step, agrees: (listed: RemoteRecord) => boolean = () => true): Promise<Standing> {
  const { resource, id, values, verb, proves } = step;
  const { records, guard, ledger, accountRemedy } = step.context;
  const [key, ownKey, path] = [values[resource.key], keyOf(resource, values), pathOf(resource, id)];
  const isSame = (record: RemoteRecord) => isSameRecord(resource, values, record);

  async function run(): Promise<Standing> {
    const record = await records.read(id, (listed) => isSame(listed) && agrees(listed), key, proves);
    const isAsIs = record !== undefined && isSame(record);
    const standing = { subject: step, record, isSame: isAsIs, isRenamed: false, others: [] };
    if (isAsIs) return standing;
    if (record !== undefined && record.values[resource.key] == null)
      throw new LifecycleError(`${describeUnreadable(step, resource.key)}, so nothing was changed`);
    const remedy = `if it is gone there, ${FORGET}`;
    const similar = key === undefined ? [] : await records.findByKey(key, { remedy, proves });
    const listed = filterByKey(resource, key, similar);
    // The list was asked for after the 404, so it outweighs that.
    if (record === undefined && listed.some((each) => each.id === id))
      throw new LifecycleError(
        `${describeRecord(step)} is not found by its id, but its list shows it, so it counts as existing, and nothing was changed; run the same command again later`,
      );
    const isKnown = ({ id: other = "" }: RemoteRecord) =>
      ledger.hasTaken(other) || guard.inState.get(pathOf(resource, other)) === ownKey;
    // The list may be older than the look: under this id, only a record made at another time is another one.
    const others = listed.filter((each) => (each.id === id ? !isSame(each) : !isKnown(each)));
    // If the state has its key under another id, the service may have renumbered those of one second.
    const holder = record && guard.pathByKey.get(keyOf(resource, record.values));
    const isAlone = others.length === 0 && (holder === undefined || holder === path);
    const isRenamed = record !== undefined && isAlone && isAsOld(values, record);
    return { ...standing, isRenamed, others };
  }
  const failed = (error: unknown) => {
    const hint = `its list does not show it: ${accountRemedy()}, and if they are right, ${FORGET}`;
    throw describeFailure(step, verb, error, records.lacks(id) ? hint : undefined);
  };
  return guard.ask(path, ownKey, () => run().catch(failed));
}
