import { changedFields, pick } from "../schema/compare";
import { hasKey, stateAfter } from "../schema/identity";
import { fieldOf, type Values } from "../schema/resource";
import { adopt } from "./adopt";
import type { Context } from "./context";
import { findForWrite, isRecentEnough } from "./find";
import { refusalFor, standingOf } from "./standing";
import { putFields } from "./write";

/** Sends the changed fields, and nothing else. */
export async function update(context: Context, id: string, olds: Values, news: Values): Promise<Values> {
  const { resource } = context;
  const { key } = resource;
  const wanted = pick(resource, news);

  // 1. What changes. A changed key that replaces comes here only if someone has renamed the record.
  const changed = changedFields(resource, olds, wanted);
  if (changed.length === 0) return stateAfter(resource, olds, wanted);
  const sent = changed.filter((name) => !fieldOf(resource, name).replaces);

  // 2. The record as it is now: a run that was killed may have sent this update already.
  const subject = { resource, values: olds, id };
  const isFresh = isRecentEnough(context);
  const standing = await findForWrite({ ...subject, context, verb: "updated", news, isFresh });
  const { status, record: found } = standing;
  if (found === undefined) throw refusalFor(standing, context.accountAdvice());
  const hasWantedKey = hasKey(resource, wanted, found.values);
  if (!hasWantedKey && !sent.includes(key) && changed.includes(key)) {
    const renamed = standingOf({ ...subject, values: wanted }, found);
    throw refusalFor({ ...renamed, status: "renamed" }, context.accountAdvice());
  }

  // 3. The PUT, if there is still something to send.
  if (news.adopt === true && status !== "same") return (await adopt(context, wanted, found)).state;
  const names = sent.filter((name) => !(name === key && hasWantedKey));
  if (names.length === 0) return stateAfter(resource, olds, wanted, found);
  return (await putFields(context, { id, olds, wanted, names })).state;
}
