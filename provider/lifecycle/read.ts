import { capitalized } from "../api/api";
import { lackingArgument, type RemoteRecord } from "../schema/codec";
import { matchesState, mergeRemote } from "../schema/compare";
import { noun, type Values } from "../schema/resource";
import { adviceForOld } from "./advice";
import type { Context, ResourceState } from "./context";
import { explainFailure, LifecycleError } from "./errors";
import { assertMeant } from "./find";

/**
 * Returns the record as the service has it, or undefined if it is gone.
 * Without a key in `state`, as for `get` in a program, the result has every field that the service returns.
 */
export async function read(context: Context, id: string, state: Values): Promise<ResourceState | undefined> {
  const { resource, records } = context;
  const subject = { resource, values: state, id };
  if (state[resource.key] === undefined) {
    const first = await explainFailure(subject, "read", () => records.fetchById(id));
    const lacking = first && lackingArgument(resource, first);
    if (lacking !== undefined)
      throw new LifecycleError(
        `the service sent no ${lacking} that can be read for the ${noun(resource)} with id ${id}`,
        capitalized(adviceForOld(lacking)),
      );
    return first && { id, state: mergeRemote(resource, state, first, "all") };
  }
  const isEnough = (listed: RemoteRecord) => matchesState(resource, state, listed);
  const { record } = await assertMeant({ ...subject, context, verb: "read", isEnough });
  return record && { id, state: mergeRemote(resource, state, record) };
}
