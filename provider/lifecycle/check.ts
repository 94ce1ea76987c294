import { linesOf } from "../api/api";
import { isUnknown, type Resource, type Values } from "../schema/resource";
import { validateResource } from "../schema/validate";
import { announceAdoption } from "./adopt";
import type { Context, Notify } from "./context";
import { describeRecord, LifecycleError } from "./errors";

/**
 * Reports what people should know before the change. It is called when a resource is new, and when it is compared: a policy may
 * still correct what is checked, but not what is compared.
 */
export function announceChanges(resource: Resource, notify: Notify, olds: Values, news: Values): void {
  const announce = (groupKey: string) =>
    notify({ text: `${describeRecord({ resource, values: news })}: ${groupKey}`, groupKey });
  const isNew = olds[resource.key] === undefined;
  const broken = isNew ? undefined : resource.validateCreate?.({ ...olds, ...news });
  if (broken !== undefined && resource.validateCreate?.(olds) === undefined)
    announce(`${broken.field} ${broken.reason}; unless the service has one, give it in the program`);
  for (const [name, field] of Object.entries(resource.inputs)) {
    const [old, next] = [olds[name], news[name]];
    if (isUnknown(next)) continue;
    const notice = field.notice?.(old, next, name);
    if (notice !== undefined) announce(notice);
  }
}

/** What a check needs, apart from the arguments. */
interface CheckContext {
  readonly resource: Resource;
  readonly notify: Notify;
  /** Absent if settings are missing. */
  readonly context: Context | undefined;
  /** The record may exist with any values, and is imported: nothing is refused for them. */
  readonly isImporting?: boolean;
}

/**
 * Validates a program's arguments and fills in defaults; reports what people should know of a new record. It asks the
 * service only about a record that `adopt` may mean, and declares the resource in the ledger.
 *
 * @param olds the previous arguments, empty for a new record
 * @param urn the resource, unless no program runs
 * @returns the values, and the reasons why the resource is refused, each with its lines
 */
export async function check(
  { resource, notify, context, isImporting }: CheckContext,
  olds: Values,
  news: Values,
  urn?: string,
): Promise<{ values: Values; refusals: readonly (readonly string[])[] }> {
  const { values, mistakes } = validateResource(resource, olds, news);
  const refuse = (...refusals: (readonly string[])[]) => {
    context?.ledger.markFailed(values, urn);
    return { values, refusals };
  };
  if (mistakes.length > 0 && isImporting) return { values, refusals: [] };
  try {
    // Even if it is refused: a record with its key, which another resource leaves, may be the one that it is to adopt.
    context?.ledger.declare(olds, values, urn);
    const isNew = olds[resource.key] === undefined;
    const isAdopting = isNew && values.adopt === true && !isUnknown(values[resource.key]);
    // Of text; what is wrong in a list is not lenient.
    const mayPass = mistakes.every(({ lenient }) => lenient);
    // A website that is public already, and is adopted as such, does not become public. A pixel keeps a type that it has, such as
    // one that only newer servers know.
    const before = context && isAdopting && mayPass ? await announceAdoption(context, values) : olds;
    const isKept = (name: string) => values[name] !== undefined && before[name] === values[name];
    const wrong = mistakes.filter(({ argument }) => !isKept(argument));
    if (wrong.length > 0) return refuse(...wrong.map(({ text }) => [text]));
    if (isNew) announceChanges(resource, notify, before, values);
    return { values, refusals: [] };
  } catch (error) {
    if (!(error instanceof LifecycleError)) throw error;
    return refuse(linesOf(error));
  }
}
