import { inOneLine, reasonOf } from "../api/api";
import { changedFields } from "../schema/compare";
import { format } from "../schema/format";
import { canonicalKey, isNoted } from "../schema/identity";
import { DECLARED_KEY, fieldOf, isUnknown, noun, type Resource, type Values } from "../schema/resource";
import { announceChanges } from "./check";
import { describeRecord, type LifecycleError } from "./errors";
import { find, isFollowed, type ManagedRecord } from "./find";
import { adviceFor, describeStanding, refusalFor, type Standing } from "./standing";

/** What a program does that declares the key which someone gave its record on the service. */
const FOLLOWED = "the program follows, so this is not sent";
const ADOPTED = 'the program adopts it, so "pulumi up" sends what differs';

/** The arguments that differ from state, and which of them need a new record. */
export interface Difference {
  readonly changed: string[];
  readonly replaces: string[];
}

/**
 * Compares arguments with state. A key that someone changed on the service needs no new record. A program that follows has
 * one change more: state forgets that it had another key.
 */
export function diff(resource: Resource, olds: Values, news: Values): Difference {
  const { key } = resource;
  const changed = changedFields(resource, olds, news);
  const isRenamed = isNoted(resource, olds, DECLARED_KEY, news[key]);
  const replaces = changed.filter((name) => fieldOf(resource, name).replaces && !(isRenamed && name === key));
  if (olds[DECLARED_KEY] !== undefined && !changed.includes(key)) changed.push(key);
  return { changed, replaces };
}

/** A comparison of a record in state with the program's arguments. */
interface Comparison extends ManagedRecord {
  readonly news: Values;
}

/** Says how a record stands whose key differs in the program. Throws if it may be another record that would be changed. */
function announceStanding(
  comparison: Comparison,
  standing: Standing,
  { isReplaced }: { readonly isReplaced: boolean },
): void {
  const { resource, news, context } = comparison;
  const { status } = standing;
  const [follows, adopts] = [isFollowed(comparison, standing), news.adopt === true];
  const isRefused = follows ? status !== "renamed" && !adopts : isReplaced;
  if (isRefused && status !== "same" && status !== "missing")
    throw refusalFor(standing, context.accountAdvice());
  const announce = (renamed: Standing, advice: string) =>
    context.warn({ text: `${describeStanding(renamed)}: ${advice}`, groupKey: "was renamed on the service" });
  // A refresh has noted the rename, so that state has the key of the service.
  const isNotedRename = !isReplaced && fieldOf(resource, resource.key).replaces;
  if (follows) announce(standing, adopts ? ADOPTED : FOLLOWED);
  else if (isNotedRename && (status === "same" || status === "renamed")) {
    const renamed = { ...standing, status: "renamed", subject: { ...comparison, values: news } } as const;
    announce(renamed, inOneLine(adviceFor(renamed)));
  }
}

/** A preview may have no key that the service takes: then a rename that the program follows looks like a replacement. */
function announceUnknown(comparison: Comparison, error: unknown): void {
  const groupKey =
    "the service could not be asked whether someone renamed it there; if so, this is an update, and nothing is replaced";
  const text = `${describeRecord(comparison)}: ${groupKey}: ${reasonOf(error)}`;
  comparison.context.warn({ text, groupKey });
}

function announceReplacement({ resource, values, news, context }: Comparison, name: string): void {
  const { deletesWith } = resource;
  if (deletesWith === undefined) return;
  const change = `${name} becomes ${format(fieldOf(resource, name), news[name])}`;
  // The engine does not reveal which of its options apply.
  const groupKey = `to keep its ${deletesWith}, declare a second ${noun(resource)} beside it instead. Otherwise they are deleted with it, unless it is protected or adopted, or the last "pulumi up" gave it retainOnDelete`;
  context.warn({ text: `${describeRecord({ resource, values })}: ${change}; ${groupKey}`, groupKey });
}

/**
 * The same, with notices. If the key differs, it looks at the record: a program that declares the name which someone gave
 * the record on the service follows it, and nothing is replaced.
 *
 * @param refuse returns the reason why the record must not be replaced, or undefined. Absent if only the engine knows whether it is protected
 */
export async function diffWithNotices(
  comparison: Comparison,
  refuse?: () => LifecycleError | undefined,
): Promise<Difference> {
  const { resource, values, news, context } = comparison;
  const { key } = resource;
  const difference = diff(resource, values, news);

  // 1. What changes, for a program. A refresh compares the record (as old) with state (as new), before any check
  // (pulumi/pulumi#19922): a page that someone has made private would be said to become public.
  const isOfProgram = isUnknown(news[key]) || context.ledger.isDeclared(news);
  if (isOfProgram) announceChanges(resource, context.warn, values, news);

  // 2. How the record stands, if the key differs. If that can't be known, what follows asks again.
  const isSameKey = canonicalKey(resource, news) === canonicalKey(resource, values);
  const isReplaced = difference.replaces.includes(key);
  const unknown = (error: unknown) => void (isReplaced && announceUnknown(comparison, error));
  const standing = isSameKey || isUnknown(news[key]) ? undefined : await find(comparison).catch(unknown);
  if (standing !== undefined) announceStanding(comparison, standing, { isReplaced });
  if (standing !== undefined && isFollowed(comparison, standing))
    return { ...difference, replaces: difference.replaces.filter((name) => name !== key) };

  // 3. What is replaced, and what goes with it.
  for (const name of difference.replaces) {
    if (isUnknown(news[name])) continue;
    const refusal = refuse?.();
    if (refusal !== undefined) throw refusal;
    announceReplacement(comparison, name);
  }
  return difference;
}
