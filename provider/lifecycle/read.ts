import { lackingArgument } from "../schema/codec";
import { matchesState, mergeRemote } from "../schema/compare";
import type { Values } from "../schema/resource";
import type { Context, ResourceState } from "./context";
import { describeUnreadable, LifecycleError } from "./errors";
import { find } from "./find";

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
