import { ApiError, type Request, UnexpectedAnswer } from "../api/api";
import { getOwn } from "../api/json";
import { scalar } from "../schema/field";
import { isSameRecord } from "../schema/identity";
import { pathOf, type Values } from "../schema/resource";
import type { Context } from "./context";
import {
  describeFailure,
  describeLacking,
  describeRecord,
  type LifecycleError,
  type Subject,
} from "./errors";
import { find } from "./find";

/** Milliseconds before the looks at a record whose DELETE may be lost. If it is still there, the DELETE is sent again. */
const RECHECK_DELAYS_MS = [500, 2000];

/**
 * Deletes the record, unless another resource owns it by now. Succeeds if it is gone already. A DELETE is never repeated
 * blindly: meanwhile the service may have given the id to a record that this run has made.
 *
 * @param refusal why a record that is there must not be deleted
 */
export async function remove(
  context: Context,
  id: string,
  olds: Values,
  refusal?: LifecycleError,
): Promise<void> {
  const { resource, records, ledger, warn } = context;
  const subject: Subject = { resource, values: olds, id };
  if (olds[resource.key] === undefined) throw describeLacking(subject);
  const tell = (groupKey: string) => warn({ text: `${describeRecord(subject)} ${groupKey}`, groupKey });
  for (let sent = 0; ; sent += 1) {
    const keeper = ledger.release(id, olds);
    if (keeper !== undefined) return tell(`is kept: ${keeper} manages it now, or adopts it`);
    if (sent === 0 && (await find({ ...subject, id, context, verb: "deleted" })) === undefined)
      return tell("was not found, so nothing was deleted");
    if (refusal !== undefined) throw refusal;
    records.invalidate(id);
    const failure = await sendDelete(context, id);
    if (failure === undefined || !(await isStillThere(context, subject, failure, RECHECK_DELAYS_MS[sent])))
      return;
  }
}

/**
 * Looks at a record whose DELETE may not be done. Throws if it is there, unless the answer was lost and nobody may have
 * got the id since: then the DELETE can be sent again.
 */
async function isStillThere(
  context: Context,
  subject: Subject,
  failure: ApiError,
  wait?: number,
): Promise<boolean> {
  const { resource, records, ledger } = context;
  const { id = "", values } = subject;
  const failed = describeFailure(subject, "deleted", failure);
  if (failure.failure !== "missing" && failure.failure !== "unclear") throw failed;
  const isLost =
    failure.failure === "unclear" && !(failure instanceof UnexpectedAnswer) && wait !== undefined;
  if (isLost) await context.sleep(wait);
  const now = await records.fetch(id, values[resource.key]).catch(() => {
    throw failed;
  });
  if (now === undefined || !isSameRecord(resource, values, now)) return false;
  if (!isLost || ledger.declares(now.values)) throw failed;
  return true;
}

/** Sends one DELETE. Returns why it may not be done, unless the answer is empty or says that this record is deleted. */
async function sendDelete({ resource, api }: Context, id: string): Promise<ApiError | undefined> {
  const request: Request = { method: "DELETE", path: pathOf(resource, id) };
  try {
    const { status, body } = await api(request);
    const data = [getOwn(body, "data"), body].find((each) => getOwn(each, "deleted") !== undefined);
    const isThis = scalar(getOwn(data, "id") ?? id) === id;
    const isDone = isThis && ["true", "1"].includes(scalar(getOwn(data, "deleted")) ?? "");
    // The service has only accepted a 202, and a 207 tells of several records.
    if ([200, 204].includes(status) && (body === undefined || isDone)) return undefined;
    const what = `the service answered ${status}, but still has it; run the same command again`;
    return new UnexpectedAnswer(request, what);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
