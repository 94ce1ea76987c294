import { changedFields } from "../schema/compare";
import { format } from "../schema/format";
import { canonicalKey, isNoted } from "../schema/identity";
import { DECLARED_KEY, fieldOf, isUnknown, noun, type Resource, type Values } from "../schema/resource";
import { announceChanges } from "./check";
import { describeRecord, LifecycleError, renameFact, waysOfRename } from "./errors";
import { look, type Step } from "./find";

/** The arguments that differ from state, and which of them need a new record. */
export interface Difference {
  readonly changed: string[];
  readonly replaces: string[];
}

/** Compares arguments with state. A key that someone changed on the service needs no new record. */
export function diff(resource: Resource, olds: Values, news: Values): Difference {
  const changed = changedFields(resource, olds, news);
  const isRenamed = isNoted(resource, olds, DECLARED_KEY, news[resource.key]);
  const needsNew = (name: string) =>
    fieldOf(resource, name).replaces && !(isRenamed && name === resource.key);
  return { changed, replaces: changed.filter(needsNew) };
}

/**
 * The same, with notices. If the key differs, it looks at the record: a program that declares the name which someone gave
 * the record on the service changes nothing.
 *
 * @param refuse why the record must not be replaced, if so. Absent if only the engine knows whether it is protected
 */
export async function compare(
  step: Step & { readonly wanted: Values },
  refuse?: () => LifecycleError | undefined,
): Promise<Difference> {
  const { wanted: news, context } = step;
  const { resource, warn } = context;
  const { key } = resource;
  const found = diff(resource, step.values, news);
  announceChanges({ resource, notify: warn }, step.values, news);
  const now = found.changed.includes(key) && !isUnknown(news[key]) ? await lookIfPossible(step) : undefined;
  if (now !== undefined && canonicalKey(resource, now.record.values) === canonicalKey(resource, news)) {
    const others = (names: string[]) => names.filter((name) => name !== key);
    return { changed: others(found.changed), replaces: others(found.replaces) };
  }
  const isReplaced = found.replaces.includes(key);
  if (isReplaced && now?.renamed !== undefined) throw now.renamed;
  if (now !== undefined && !isReplaced && fieldOf(resource, key).replaces)
    warn({
      text: `${renameFact({ ...step, values: news }, now.record)}: ${waysOfRename(resource)}`,
      groupKey: "was renamed on the service",
    });
  for (const name of found.replaces.filter((each) => !isUnknown(news[each]))) {
    const refusal = refuse?.();
    if (refusal !== undefined) throw refusal;
    announceReplacement(step, name, news[name], refuse === undefined);
  }
  return found;
}

/** The record now; nothing if it is gone, or if that can't be known: what follows asks again. */
async function lookIfPossible(step: Step) {
  try {
    return await look(step);
  } catch (error) {
    if (error instanceof LifecycleError) return undefined;
    throw error;
  }
}

function announceReplacement(step: Step, name: string, next: unknown, mayBeProtected: boolean): void {
  const { resource, warn } = step.context;
  const field = fieldOf(resource, name);
  if (resource.deletesWith === undefined) return;
  // The engine does not reveal which of its options apply.
  const doubt = "; if it is protected, the change is refused until it has the option protect: false";
  const clause = (site: string) =>
    `to keep the ${resource.deletesWith} of ${site}, declare a second ${noun(resource)} beside it instead. Otherwise they are deleted with it, unless it is adopted, or the last "pulumi up" gave it retainOnDelete${mayBeProtected ? doubt : ""}`;
  warn({
    text: `${describeRecord({ resource, values: step.values })}: ${name} becomes ${format(field, next)}; ${clause(format(field, step.values[name]))}`,
    groupKey: `${name} changes; ${clause("the old one")}`,
  });
}
