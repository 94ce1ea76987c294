import type { Proves } from "../api/api";
import type { RemoteRecord } from "../schema/codec";
import { changedFields, pick } from "../schema/compare";
import { isSameRecord, stateAfter } from "../schema/identity";
import { fieldOf, type Values } from "../schema/resource";
import { adopt, stillThere } from "./adopt";
import type { Context } from "./context";
import { describeRecord, describeStanding, LifecycleError, type Subject, withContext } from "./errors";
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
  const look = async (proves: Proves) => {
    // A run that was killed may have sent this update already.
    const found = await find({ ...subject, context, verb: "updated", news, proves });
    if (found === undefined)
      throw new LifecycleError(
        `${describeRecord(subject)} is gone from the service. First ${context.accountRemedy()}. If this is the right account, "pulumi up --refresh" creates it again`,
      );
    if (isNamed(found) || !changed.includes(key)) return found;
    // Only a rename on the service brings a key here that replaces: the service must have the program's by now.
    if (!sent.includes(key))
      throw describeStanding(
        { subject: { ...subject, values: wanted }, record: found, isSame: false, others: [] },
        "updated",
      );
    await withContext(subject, "updated", () => assertFree(context, subject, wanted, proves));
    return found;
  };
  const found = await look(recently(context));
  if (news.adopt === true && !isSameRecord(resource, olds, found))
    return (await adopt(context, wanted, found)).state;
  const names = sent.filter((name) => !(name === key && isNamed(found)));
  if (names.length === 0) return stateAfter(resource, olds, wanted, found);
  return (await putFields(context, { id, olds, wanted, names }, { found, lookAgain: look })).state;
}

/** Throws if another record has the new key: the service would always refuse it, or hold two that no one can tell apart. */
async function assertFree(context: Context, subject: Subject, wanted: Values, proves: Proves): Promise<void> {
  const { resource, records, ledger } = context;
  const listed = await records.findByKey(wanted[resource.key], { proves });
  const others = listed.filter((each) => each.id !== undefined && each.id !== subject.id);
  const [other] = await stillThere({ context, resource, values: wanted }, others);
  if (other?.id === undefined) return;
  const rival = ledger.other(other.id, wanted);
  throw new LifecycleError(
    `${describeRecord(subject)} can't be updated: ${describeRecord({ ...other, resource })} exists already${
      rival === undefined ? "" : `, and belongs to ${rival}`
    }; change the ${resource.key} of that one first, in a run of its own, or choose another ${resource.key}`,
  );
}
