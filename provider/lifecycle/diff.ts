import { reasonOf } from "../api/api";
import { changedFields } from "../schema/compare";
import { format } from "../schema/format";
import { canonicalKey, isNoted } from "../schema/identity";
import { DECLARED_KEY, fieldOf, isUnknown, noun, type Resource, type Values } from "../schema/resource";
import { announceChanges } from "./check";
import { describeRecord, type LifecycleError } from "./errors";
import { find, isFollowed, type Step } from "./find";
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

/**
 * The same, with notices. If the key differs, it looks at the record: a program that declares the name which someone gave
 * the record on the service follows it, and nothing is replaced.
 *
 * @param refuse returns the reason why the record must not be replaced, or undefined. Absent if only the engine knows whether it is protected
 */
export async function diffWithNotices(
  step: Step & { readonly news: Values },
  refuse?: () => LifecycleError | undefined,
): Promise<Difference> {
  const { resource, news } = step;
  const { key } = resource;
  const difference = diff(resource, step.values, news);
  // A refresh turns the two round: a page that someone has made private would be said to become public. It compares before
  // any check.
  const isOfProgram = isUnknown(news[key]) || step.context.ledger.isDeclared(news);
  if (isOfProgram) announceChanges(resource, step.context.warn, step.values, news);
  const isSameKey = canonicalKey(resource, news) === canonicalKey(resource, step.values);
  const isReplaced = difference.replaces.includes(key);
  // If it can't be known how the record stands, what follows asks again.
  const unknown = (error: unknown) => void (isReplaced && announceUnknown(step, error));
  const standing = isSameKey || isUnknown(news[key]) ? undefined : await find(step).catch(unknown);
  if (standing !== undefined) announceStanding(step, standing, isReplaced);
  if (standing !== undefined && isFollowed(step, standing))
    return { ...difference, replaces: difference.replaces.filter((name) => name !== key) };
  for (const name of difference.replaces.filter((each) => !isUnknown(news[each]))) {
    const refusal = refuse?.();
    if (refusal !== undefined) throw refusal;
    announceReplacement(step, name, news[name]);
  }
  return difference;
}

/** Says how a record stands whose key differs in the program. Throws if it may be another record that would be changed. */
function announceStanding(
  step: Step & { readonly news: Values },
  standing: Standing,
  isReplaced: boolean,
): void {
  const { resource, news, context } = step;
  const { status } = standing;
  const [follows, adopts] = [isFollowed(step, standing), news.adopt === true];
  const isRefused = follows ? status !== "renamed" && !adopts : isReplaced;
  if (isRefused && status !== "same" && status !== "missing")
    throw refusalFor(standing, context.accountAdvice());
  const announce = (renamed: Standing, advice: string) =>
    context.warn({ text: `${describeStanding(renamed)}: ${advice}`, groupKey: "was renamed on the service" });
  // A refresh has noted the rename, so that state has the key of the service.
  const isNoted = !isReplaced && fieldOf(resource, resource.key).replaces;
  if (follows) announce(standing, adopts ? ADOPTED : FOLLOWED);
  else if (isNoted && (status === "same" || status === "renamed")) {
    const renamed = { ...standing, status: "renamed", subject: { ...step, values: news } } as const;
    announce(renamed, adviceFor(renamed));
  }
}

/** A preview may have no key that the service takes: then a rename that the program follows looks like a replacement. */
function announceUnknown(step: Step, error: unknown): void {
  const groupKey =
    "the service could not be asked whether someone renamed it there; if so, this is an update, and nothing is replaced";
  step.context.warn({ text: `${describeRecord(step)}: ${groupKey}: ${reasonOf(error)}`, groupKey });
}

function announceReplacement(step: Step, name: string, next: unknown): void {
  const { resource, warn } = step.context;
  const { deletesWith } = resource;
  if (deletesWith === undefined) return;
  const change = `${name} becomes ${format(fieldOf(resource, name), next)}`;
  // The engine does not reveal which of its options apply.
  const groupKey = `to keep its ${deletesWith}, declare a second ${noun(resource)} beside it instead. Otherwise they are deleted with it, unless it is protected or adopted, or the last "pulumi up" gave it retainOnDelete`;
  warn({ text: `${describeRecord({ resource, values: step.values })}: ${change}; ${groupKey}`, groupKey });
}
