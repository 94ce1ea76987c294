import type { RemoteRecord } from "../schema/codec";
import { changedFields, pick } from "../schema/compare";
import { isSameRecord, stateAfter } from "../schema/identity";
import { fieldOf, type Values } from "../schema/resource";
import { adopt } from "./adopt";
import type { Context } from "./context";
import { describeRecord, describeStanding, LifecycleError } from "./errors";
import { find, recently } from "./find";
import { putFields } from "./write";

/** Sends the changed fields, and nothing else. */
export async function update(context: Context, id: string, olds: Values, news: Values): Promise<Values> {
  const { resource } = context;
  const { key } = resource;
  const wanted = pick(resource, news);
  const subject = { resource, values: olds, id };
  const changed = changedFields(resource, olds, wanted);
  if (changed.length === 0) return stateAfter(resource, olds, wanted);
  const sent = changed.filter((name) => !fieldOf(resource, name).replaces);
  const isNamed = (found: RemoteRecord) => isSameRecord(resource, wanted, found);
  // A run that was killed may have sent this update already.
  const found = await find({ ...subject, context, verb: "updated", news, proves: recently(context) });
  if (found === undefined)
    throw new LifecycleError(
      `${describeRecord(subject)} is gone from the service. First ${context.accountRemedy()}. If this is the right account, "pulumi up --refresh" creates it again`,
    );
  // Only a rename on the service brings a key here that replaces: the service must have the program's by now.
  if (!isNamed(found) && !sent.includes(key) && changed.includes(key))
    throw describeStanding({ subject: { ...subject, values: wanted }, record: found, others: [] });
  if (news.adopt === true && !isSameRecord(resource, olds, found))
    return (await adopt(context, wanted, found)).state;
  const names = sent.filter((name) => !(name === key && isNamed(found)));
  if (names.length === 0) return stateAfter(resource, olds, wanted, found);
  return (await putFields(context, { id, olds, wanted, names })).state;
}
