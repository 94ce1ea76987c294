import { MAX_EVIDENCE_AGE_MS } from "../api/api";
import type { RemoteRecord } from "../schema/codec";
import { formatIds } from "../schema/format";
import { filterByKey, isSameRecord } from "../schema/identity";
import { pathOf, type Values } from "../schema/resource";
import type { Context } from "./context";
import {
  assertSame,
  describeDoubt,
  describeFailure,
  describeRecord,
  LET_GO,
  OtherRecord,
  readopt,
  withContext,
} from "./errors";

/** Remembers a record that a resource of this run has in state. If it is there, this is the right account. */
export function keep(context: Context, id: string, state: Values, isReplaced = false): void {
  const { account, records, resource } = context;
  (isReplaced ? account.replaced : account.kept).set(pathOf(resource, id), {
    look: () => look(context, "looked for", id, state),
    isListed: () => records.seen()(id) !== undefined,
  });
}

/** Finds the record in state; nothing only if it is gone: its absence is proved, and this is the right account. */
export async function find(
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
    const maxAge = verb === "deleted" ? MAX_EVIDENCE_AGE_MS : undefined;
    const found = await records.read(id, agrees, key, maxAge);
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
