import { changedFields } from "../schema/compare";
import { format } from "../schema/format";
import { fieldOf, isUnknown, noun, type Resource, type Values } from "../schema/resource";
import { announceChanges } from "./check";
import type { Context } from "./context";
import { describeRecord, type LifecycleError } from "./errors";

/** The arguments that differ from state, and which of them need a new record. */
export interface Difference {
  readonly changed: string[];
  readonly replaces: string[];
}

/** Compares arguments with state. */
export function diff(resource: Resource, olds: Values, news: Values): Difference {
  const changed = changedFields(resource, olds, news);
  return { changed, replaces: changed.filter((name) => fieldOf(resource, name).replaces) };
}

function announceReplacement({ resource, warn }: Context, olds: Values, news: Values, name: string): void {
  const { deletesWith } = resource;
  if (deletesWith === undefined) return;
  const change = `${name} becomes ${format(fieldOf(resource, name), news[name])}`;
  // The engine does not reveal which of its options apply.
  const groupKey = `to keep its ${deletesWith}, declare a second ${noun(resource)} beside it instead. Otherwise they are deleted with it, unless it is protected or adopted, or the last "pulumi up" gave it retainOnDelete`;
  warn({ text: `${describeRecord({ resource, values: olds })}: ${change}; ${groupKey}`, groupKey });
}

/**
 * The same, with notices of what people should know before the change. It sends nothing: a preview needs no API key for it.
 *
 * @param refuse returns the reason why the record must not be replaced, or undefined. Absent if only the engine knows whether it is protected
 */
export function diffWithNotices(
  context: Context,
  olds: Values,
  news: Values,
  refuse?: () => LifecycleError | undefined,
): Difference {
  const { resource, warn, ledger } = context;
  const difference = diff(resource, olds, news);
  // A refresh compares the record (as old) with state (as new), before any check (pulumi/pulumi#19922): a page that someone has
  // made private would be said to become public.
  if (isUnknown(news[resource.key]) || ledger.isDeclared(news)) announceChanges(resource, warn, olds, news);
  for (const name of difference.replaces) {
    if (isUnknown(news[name])) continue;
    const refusal = refuse?.();
    if (refusal !== undefined) throw refusal;
    announceReplacement(context, olds, news, name);
  }
  return difference;
}
