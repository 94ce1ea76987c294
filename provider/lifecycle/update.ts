import { changedFields, pick } from "../schema/compare";
import { hasKey, stateAfter } from "../schema/identity";
import type { Values } from "../schema/resource";
import type { Context } from "./context";
import { assertMeant, isRecentEnough } from "./find";
import { refusalFor } from "./standing";
import { writeFields } from "./write";

/** Sends the changed fields, and nothing else. */
export async function update(context: Context, id: string, olds: Values, news: Values): Promise<Values> {
  const { resource } = context;
  const { key } = resource;
  const wanted = pick(resource, news);

  // 1. What changes.
  const changed = changedFields(resource, olds, wanted);
  if (changed.length === 0) return stateAfter(resource, olds, wanted);

  // 2. The record as it is now. A run that was killed, or someone on the service's web page, may have renamed it already.
  const isFresh = isRecentEnough(context);
  const standing = await assertMeant({ resource, values: olds, id, context, verb: "updated", isFresh });
  const { record: found } = standing;
  if (found === undefined) throw refusalFor(standing, context.accountAdvice());
  const names = changed.filter((name) => !(name === key && hasKey(resource, wanted, found.values)));

  // 3. The PUT, if there is still something to send.
  if (names.length === 0) return stateAfter(resource, olds, wanted);
  return (await writeFields(context, { id, olds, wanted, names })).state;
}
