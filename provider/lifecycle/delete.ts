import { ApiError, excerpt, UnexpectedAnswer } from "../api/api";
import { getOwn } from "../api/json";
import type { RemoteRecord } from "../schema/codec";
import { scalar } from "../schema/field";
import { creationEntry, isOfAnotherTime, isSame } from "../schema/identity";
import { pathOf, type Values } from "../schema/resource";
import type { Context } from "./context";
import {
  describeFailure,
  describeRecord,
  type LifecycleError,
  questionIfAlone,
  type Subject,
} from "./errors";
import { assertMeant, isRecentEnough } from "./find";

/** Milliseconds before the looks at a record whose DELETE may be lost. If it is still there, the DELETE is sent again. */
const RECHECK_DELAYS_MS = [500, 2000];
/** So many times a DELETE is sent to a service that is busy, as behind nginx's `limit_req`. Each look between waits for its turn, which is long enough. */
const MAX_REFUSALS = 8;

/** Sends one DELETE. Returns the reason why it may not be done, or undefined if the answer is empty or says that this record is deleted. */
async function sendDelete(context: Context, id: string): Promise<ApiError | undefined> {
  const { resource, api, records } = context;
  const onSend = () => records.invalidate(id);
  const request = { method: "DELETE", path: pathOf(resource, id), onSend } as const;
  try {
    const { status, body } = await api(request);
    const data = [getOwn(body, "data"), body].find((part) => getOwn(part, "deleted") !== undefined);
    const isThis = scalar(getOwn(data, "id") ?? id) === id;
    const isDone = isThis && ["true", "1"].includes(scalar(getOwn(data, "deleted")) ?? "");
    // The service has only accepted a 202, and a 207 tells of several records.
    if ([200, 204].includes(status) && (body === undefined || isDone)) {
      records.markDeleted(id);
      return undefined;
    }
    return new UnexpectedAnswer(request, `the service answers ${status} to the delete, not that it is done`, {
      status,
    });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error;
  }
}

/** Returns how many milliseconds to wait before a look, or undefined if the DELETE is not sent again even if the record is there. */
function waitToRepeat(failure: ApiError, count: number): number | undefined {
  if (failure.failure !== "unclear" || failure instanceof UnexpectedAnswer) return undefined;
  if (!failure.details.isBusy) return RECHECK_DELAYS_MS[count - 1];
  return count < MAX_REFUSALS ? 0 : undefined;
}

/** The failure of a DELETE whose record a look has shown since. */
function stillShown({ request, failure, details }: ApiError): ApiError {
  const { status, message = "" } = details;
  const words = message === "" ? "" : ` (${excerpt(message)})`;
  const what = `the service answers ${status} to the delete${words}, but still shows the record`;
  return new ApiError(request, failure, what, details);
}

/**
 * Looks at a record whose DELETE is not done, or may not be. Throws if it is there, unless nothing was done, or the answer
 * was lost and nobody may have got the id since: then the DELETE can be sent again.
 *
 * @param count how often it was sent
 */
async function recheck(
  context: Context,
  subject: Subject,
  before: RemoteRecord,
  failure: ApiError,
  count: number,
): Promise<RemoteRecord | undefined> {
  const { resource, records, ledger } = context;
  const { id = "", values } = subject;
  const isRefusal =
    failure.failure === "missing" ||
    (failure instanceof UnexpectedAnswer && failure.details.advice === undefined);
  const advice = isRefusal
    ? ["Delete it in the service's web interface, and run the same command again"]
    : [];
  const failed = describeFailure(subject, "deleted", failure, advice);
  if (failure.failure !== "missing" && failure.failure !== "unclear") throw failed;
  const wait = waitToRepeat(failure, count);
  if (wait) await context.sleep(wait);
  // By its id: a list that is some seconds behind still shows what was deleted, and the id may be a new record's by now.
  const current = await records.fetchById(id, values[resource.key]).catch(() => {
    throw failed;
  });
  // The id may have been given to a new record. Another key alone does not prove that: a pixel may have been renamed.
  const known = { ...values, ...creationEntry(values, before) };
  if (current === undefined || isOfAnotherTime(known, current)) {
    failure.details.wasDone?.();
    return undefined;
  }
  if (isRefusal) throw describeFailure(subject, "deleted", stillShown(failure), advice);
  if (wait === undefined || !isSame(resource, known, current) || ledger.isDeclared(current.values))
    throw failed;
  return current;
}

const describeKept = (owner: string) => `is kept: ${owner} manages it now`;

/**
 * Deletes the record, unless another resource has it by now. Succeeds if it is gone already. A DELETE is never repeated
 * blindly: meanwhile the service may have given the id to another record.
 *
 * @param refuse returns the reason why a record that is there must not be deleted, or undefined
 */
export async function remove(
  context: Context,
  id: string,
  olds: Values,
  refuse?: () => LifecycleError | undefined,
): Promise<void> {
  const { resource, ledger, warn } = context;
  const subject: Subject = { resource, values: olds, id };
  const announce = (groupKey: string) => warn({ text: `${describeRecord(subject)} ${groupKey}`, groupKey });
  let owner = ledger.beginDelete(id, olds);
  if (owner !== undefined) return announce(describeKept(owner));
  let { record: found } = await assertMeant({
    ...subject,
    id,
    context,
    verb: "deleted",
    isFresh: isRecentEnough(context),
  });
  if (found === undefined)
    return announce(`was not found, so nothing was deleted${questionIfAlone(context)}`);
  const refusal = refuse?.();
  if (refusal !== undefined) throw refusal;
  for (let count = 1; owner === undefined; count += 1) {
    const failure = await sendDelete(context, id);
    found = failure && (await recheck(context, subject, found, failure, count));
    if (found === undefined) return;
    // While this one waited, a resource may have adopted the record.
    owner = ledger.beginDelete(id, olds);
  }
  announce(describeKept(owner));
}
