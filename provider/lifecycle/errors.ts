import { ApiError } from "../api/api";
import type { RemoteRecord } from "../schema/codec";
import { format, formatIds } from "../schema/format";
import { isUnknown, noun, type Resource, type Values } from "../schema/resource";

/** The command that imports what the program declares and the stack lacks. It finds records by keys, never by ids. */
export const IMPORT = "npx pulumi-tracking import --declared --apply";

/** How a resource that was renamed or moved in the program keeps its record. */
export const ALIASES =
  "If this resource was renamed or moved in the program, give it the option aliases with its old name or parent";

/** How to drop a resource from state whatever depends on it, and keep its record on the service. */
export const LET_GO =
  'declare it with the option retainOnDelete: true and run "pulumi up", then remove it and run "pulumi up" again';

/** How resources get the records that have their keys, if the service has given these other ids. */
export const READOPT = `drop each such resource from state with "pulumi state delete --force URN", first those that depend on another of them, or, in a stack that holds nothing else, all with "pulumi state delete --all --force". Then "${IMPORT}" imports what the program declares`;

/** A failed step: what happened, to which record, and what to do, which is told once if it is apart, as `advice`. */
export class LifecycleError extends Error {
  constructor(
    readonly brief: string,
    readonly advice?: string,
    message = advice === undefined ? brief : `${brief}. ${advice}`,
  ) {
    super(message);
  }
}

/** A record exists, but not as declared. The engine must keep its known state, so that the next run repairs it. */
export class PartialFailure extends LifecycleError {
  constructor(
    readonly id: string,
    readonly state: Values,
    message: string,
    /** The arguments that the service did not store as declared, if a look has shown them. */
    readonly fields: readonly string[] = [],
  ) {
    super(message);
  }
}

/** The subject of a message: a resource by its values, and its record if it has one. */
export interface Subject {
  readonly resource: Resource;
  readonly values: Values;
  readonly id?: string | undefined;
}

/** What the service has in place of a record in state. */
export interface Place {
  /** The record as state has it. */
  readonly subject: Subject;
  /** What the service has under its id. */
  readonly record?: RemoteRecord | undefined;
  /** The records that have its key under other ids, or under its own, but were made at another time. */
  readonly others: readonly RemoteRecord[];
}

/** How a record in state stands on the service. If nothing is in its place, it is gone. */
export interface Standing extends Place {
  /** Whether the record under its id has exactly the key in state, and was not made at another time. */
  readonly isSame: boolean;
  /** Whether that has another key, and is the same record nevertheless. */
  readonly isRenamed: boolean;
}

/** Runs an exchange. An error says what the failure means for this record. */
export async function withContext<T>(subject: Subject, verb: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw describeFailure(subject, verb, error);
  }
}

/** What a failed exchange means for this record, in one sentence. */
export function describeFailure(subject: Subject, verb: string, error: unknown, hint?: string): Error {
  if (!(error instanceof ApiError)) return error as Error;
  const { inputs } = subject.resource;
  const names = Object.keys(error.details.fields ?? {}).map(
    (wire) => Object.entries(inputs).find(([name, field]) => (field.wire ?? name) === wire)?.[0] ?? wire,
  );
  const about = names.length > 0 ? ` (${names.join(", ")})` : "";
  const { reason, what, details, request } = error;
  const sentence = (why: string) =>
    `${describeRecord(subject)} can't be ${verb}${about}: ${why}${hint ? `; ${hint}` : ""} [${request.method} ${details.url ?? request.path}]`;
  return new LifecycleError(sentence(what), details.remedy, sentence(reason));
}

/** What the service has instead of a record in state: its key under other ids, or another key under its id. */
export function describeNow(
  subject: Subject,
  found: RemoteRecord | undefined,
  others: readonly RemoteRecord[] = [],
  name = describeRecord(subject),
): string {
  if (others.some(({ id }) => id === subject.id))
    return `${name} is another record on the service now, which was created at ${found?.createdAt}`;
  if (found === undefined || others.length > 0)
    return `${name} has another id on the service now (${formatIds(others)})`;
  return `${name} is ${shownKey(subject.resource, found.values)} on the service now`;
}

/** What to do about it, if it is the same record. */
export function waysOfRename({ key }: Resource, how = ""): string {
  return `someone has renamed it: declare the ${key} that the service has${how}, or rename it back there`;
}

/** What to do about it. With the key of another account, that would change its records, so the question comes first. */
function adviceOf({ subject, others }: Place, check?: string): string {
  const way =
    others.length === 0
      ? waysOfRename(subject.resource, check && ', with adopt: true, and run "pulumi up"')
      : READOPT;
  return check
    ? `First ${check}. If this is the right account, ${way}`
    : way.replace(/^./, (first) => first.toUpperCase());
}

/**
 * Refuses to change a record that does not stand as in state: it has another key on the service now, or another id.
 *
 * @param check says which settings to check, if it may be another account's record
 */
export function describeStanding(place: Place, check?: string): LifecycleError {
  const { subject, record, others } = place;
  return new LifecycleError(
    `${describeNow(subject, record, others)}, so nothing was changed`,
    adviceOf(place, check),
  );
}

/**
 * Refuses to call a record gone, or to create one.
 *
 * @param doubt what shows that this may be another account
 * @param check says which settings to check
 */
export function describeDoubt(
  { verb, ...subject }: Subject & { readonly verb: string },
  doubt: string | Place,
  check: string,
): LifecycleError {
  const fate = verb === "created" ? "was not created" : "is not found, but does not count as gone";
  const isGone = typeof doubt === "string";
  // A refresh skips what a replacement has deleted.
  const advice = isGone
    ? `First ${check}. If this is the right account, the records are gone: drop each from state with "pulumi refresh --target URN", one at a time, and what a replacement has deleted with "pulumi state delete --force URN", or, ` +
      'in a stack that holds nothing else, all with "pulumi state delete --all --force". Then "pulumi up" creates them again'
    : adviceOf(doubt, check);
  const why = isGone ? doubt : describeNow(doubt.subject, doubt.record, doubt.others);
  return new LifecycleError(`${describeRecord(subject)} ${fate}: ${why}`, advice);
}

/** The question whether this is the right account, if this run has found no other record of the state there. */
export function askIfAlone(context: {
  readonly guard: { readonly present: number };
  accountRemedy(): string;
}): string {
  return context.guard.present === 0 ? `. This run found no other record: ${context.accountRemedy()}` : "";
}

/** A record's field can't be read. */
export function describeUnreadable({ resource, id }: Subject, name: string): string {
  return `the service sent no ${name} that can be read for the ${noun(resource)} with id ${id}`;
}

/** A record for a message: `website shop.example.com (id 5)`. */
export function describeRecord({ resource, values, id }: Subject): string {
  const key = values[resource.key];
  const name = key === undefined || isUnknown(key) ? "" : ` ${shownKey(resource, values)}`;
  return `${noun(resource)}${name}${id === undefined ? "" : ` (id ${id})`}`;
}

function shownKey({ inputs, key }: Resource, values: Values): string {
  return format(inputs[key], values[key]);
}
