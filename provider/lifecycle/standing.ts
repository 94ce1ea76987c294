import { capitalized, excerpt } from "../api/api";
import type { RemoteRecord } from "../schema/codec";
import { unreadableIn } from "../schema/compare";
import { formatIds } from "../schema/format";
import { hasKey, isSame } from "../schema/identity";
import { ADVICE, adviceForOld, IMPORT } from "./advice";
import { describeKey, describeRecord, LifecycleError, type Subject } from "./errors";

/**
 * What became of a record in state:
 *
 * - `same`: it is there under its id, a pixel perhaps under another name
 * - `unreadable`: the service shows it without a key, as an old version does that says `url` for `domain`
 * - `displaced`: another id has its key, as after a restore that gave all records new ids
 * - `another`: its id has another record
 * - `missing`: its id has none
 */
export type Status = "same" | "unreadable" | "displaced" | "another" | "missing";

/** How a record in state stands on the service. */
export interface Standing {
  /** The record as state has it. */
  readonly subject: Subject;
  readonly status: Status;
  /** What the service has under its id. */
  readonly record?: RemoteRecord | undefined;
  /** The records that have its key under other ids. */
  readonly namesakes: readonly RemoteRecord[];
}

/** Whether a record has the key in state, and no other creation: then nothing else has to be looked at. */
export function isAsInState({ resource, values }: Subject, record: RemoteRecord): boolean {
  return hasKey(resource, values, record.values) && isSame(resource, values, record);
}

/**
 * Decides what became of a record in state.
 *
 * @param record the record under its id
 * @param similar the records that may have its key
 * @param idInState under which id the state has a record of this key and creation, as far as that is known
 */
export function standingOf(
  subject: Subject,
  record: RemoteRecord | undefined,
  similar: readonly RemoteRecord[] = [],
  idInState: (found: RemoteRecord) => string | undefined = () => undefined,
): Standing {
  const { resource, values, id } = subject;
  const namesakes = similar.filter((listed) => listed.id !== id && hasKey(resource, values, listed.values));
  const standing = { subject, record, namesakes };
  if (record !== undefined && record.values[resource.key] == null)
    return { ...standing, status: "unreadable" };
  if (record !== undefined && isAsInState(subject, record)) return { ...standing, status: "same" };
  if (namesakes.some((namesake) => isAsInState(subject, namesake)))
    return { ...standing, status: "displaced" };
  if (record === undefined) return { ...standing, status: "missing" };
  // Of pixels a, b and c, all created in one second, a service that lost a may have given its id to b: then state has b under
  // another id.
  const isTaken = idInState(record) !== undefined;
  return { ...standing, status: isSame(resource, values, record) && !isTaken ? "same" : "another" };
}

/** Says what became of a record. */
type Describe = (standing: Standing) => string;
/** Says what to do about it: a clause, and what else there is to say, on lines of its own. */
type Advise = (standing: Standing) => readonly string[];

const keyOf = ({ subject }: Standing) => subject.resource.key;

/** For each status, what became of the record, and what to do about it if this is the right account: the one place for both. */
const texts: Readonly<Record<Status, readonly [fact: Describe, advice: Advise]>> = {
  same: [() => "is as in state", () => ["nothing is to be done"]],
  unreadable: [
    (standing) => `is shown without a ${keyOf(standing)} that can be read`,
    (standing) => [adviceForOld(keyOf(standing))],
  ],
  another: [
    ({ subject, record }) => {
      const name = describeKey(subject.resource, record?.values ?? {});
      const time = record?.createdAt === undefined ? "" : `, created at ${excerpt(record.createdAt)}`;
      return `is another record on the service now: ${name}${time}`;
    },
    () => ADVICE.importAgain,
  ],
  displaced: [
    ({ namesakes }) => `has another id on the service now (${formatIds(namesakes)})`,
    () => ADVICE.importAgain,
  ],
  missing: [
    () => "is gone from the service",
    (standing) => [
      standing.namesakes.length === 0
        ? 'run "pulumi up --refresh", which creates it again'
        : `run "pulumi refresh", and then "${IMPORT}", which imports the record that has its ${keyOf(standing)} now (${formatIds(standing.namesakes)})`,
    ],
  ],
};

/** What became of a record in state. */
export function describeStanding(standing: Standing, name = describeRecord(standing.subject)): string {
  const [fact] = texts[standing.status];
  return `${name} ${fact(standing)}`;
}

/** What to do about it, if this is the right account. */
export function adviceFor(standing: Standing): readonly string[] {
  const [, advice] = texts[standing.status];
  return advice(standing);
}

/** With the key of another account, what is to be done would change its records, so the question comes first. */
const checkFirst = (check: string, [advice, ...others]: readonly string[]) => [
  `First ${check}: is this the right account?`,
  `If it is, ${advice}`,
  ...others,
];

/**
 * Refuses to change a record that does not stand as in state.
 *
 * @param check says which settings to check, if it may be another account's record
 */
export function refusalFor(standing: Standing, check: string): LifecycleError {
  return new LifecycleError(
    `${describeStanding(standing)}, so nothing was changed`,
    ...checkFirst(check, adviceFor(standing)),
  );
}

/**
 * Refuses values in state that no program could have given, as after an edit by hand: a text in place of a list would end as
 * "value.map is not a function".
 *
 * @param names the arguments that the caller needs
 */
export function assertReadable(subject: Subject, names = Object.keys(subject.resource.inputs)): void {
  const unreadable = unreadableIn(subject.resource, subject.values).filter((name) => names.includes(name));
  if (unreadable.length === 0) return;
  const [advice, ...others] = ADVICE.importAgain;
  const title = `${describeRecord(subject)} can't be read from state: ${unreadable.join(", ")}`;
  throw new LifecycleError(title, capitalized(advice), ...others);
}

/**
 * What to do about an account that has none of several records.
 *
 * @param isRemoval the records were to be deleted, so nobody wants them again
 */
export function adviceForNone(check: string, isRemoval = false): readonly string[] {
  const then = isRemoval ? "run the same command again" : '"pulumi up" creates them again';
  return checkFirst(check, [`${ADVICE.dropGone}, and ${then}`, ADVICE.dropMany]);
}

/** Why this may be another account: how a record stands, how a look for one failed, or that none was found. */
export type Doubt = Standing | LifecycleError | string;

/**
 * Refuses to call a record gone, or to create one.
 *
 * @param doubt what shows that this may be another account
 * @param check says which settings to check
 */
export function refusalForDoubt(
  { verb, ...subject }: Subject & { readonly verb: string },
  doubt: Doubt,
  check: string,
): LifecycleError {
  const fate = verb === "created" ? "was not created" : "is not found, but stays in state";
  const fact = `${describeRecord(subject)} ${fate}, since`;
  if (doubt instanceof LifecycleError)
    return new LifecycleError(
      `${fact} it is unknown whether this is the right account: ${doubt.title}`,
      ...(doubt.advice.length > 0 ? doubt.advice : ["Run the same command again"]),
    );
  const [reason, advice] =
    typeof doubt === "string"
      ? [doubt, adviceForNone(check, verb === "deleted")]
      : [describeStanding(doubt), checkFirst(check, adviceFor(doubt))];
  return new LifecycleError(`${fact} this may be the wrong account: ${reason}`, ...advice);
}
