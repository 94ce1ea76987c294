import { ApiError, linesOf, UnexpectedAnswer } from "../api/api";
import { parseRecord } from "../records/envelope";
import { decode, encode, type RemoteRecord } from "../schema/codec";
import { mergeRemote, mismatches } from "../schema/compare";
import { format } from "../schema/format";
import { isSame, stateAfter } from "../schema/identity";
import { fieldOf, pathOf, type Resource, type Values } from "../schema/resource";
import type { Context, ResourceState } from "./context";
import { describeFailure, describeRecord, LifecycleError, PartialFailure, type Subject } from "./errors";

/** A write to a record. */
export interface Change {
  readonly id: string;
  /** The values in state. Of a record that is adopted, what it has and is not sent; of a new one, none. */
  readonly olds: Values;
  readonly wanted: Values;
  /** The arguments that are sent. */
  readonly names: readonly string[];
}

const REFRESH = 'Run "pulumi up --refresh", which creates it again if it is gone';

/** The id of a record; throws if it has none. */
export function idOf(subject: Subject, found: RemoteRecord): string {
  if (found.id !== undefined) return found.id;
  throw new LifecycleError(
    `${describeRecord(subject)} has an id on the service that can't be held exactly, so Pulumi can't manage it`,
    "Remove the resource from the program",
  );
}

/** The arguments that can be sent in an update. */
function updatable(resource: Resource, wanted: Values): string[] {
  return Object.keys(wanted).filter((name) => !fieldOf(resource, name).replaces);
}

/**
 * The failure of a write. State gets what the service shows, or if that is unknown, keeps what it had, so that the next `up`
 * sends all of it again.
 *
 * @param stillDifferent the arguments that the service did not store as declared
 */
function partialFailure(
  resource: Resource,
  { id, olds, wanted }: Change,
  lines: readonly string[],
  stored?: RemoteRecord,
  stillDifferent: readonly string[] = [],
): PartialFailure {
  // What the service does not show, such as a password, may not be stored.
  const storedArguments = Object.fromEntries(
    Object.entries(wanted).filter(
      ([name]) =>
        name === resource.key || fieldOf(resource, name).replaces || stored?.values[name] !== undefined,
    ),
  );
  const state = stored
    ? mergeRemote(resource, { ...olds, ...storedArguments }, stored)
    : { ...storedArguments, ...olds };
  return new PartialFailure(id, state, lines, stillDifferent);
}

/** The record after a write. Throws if the service does not show it, or has another one there. */
async function readBack({ resource, records }: Context, change: Change): Promise<RemoteRecord> {
  const { id, olds, wanted, names } = change;
  const written = `${describeRecord({ resource, values: wanted, id })} was written, but`;
  const failed = (reason: string, ...advice: readonly string[]) =>
    partialFailure(resource, change, [`${written} ${reason}`, ...advice]);
  const stored = await records.fetchById(id, wanted[resource.key]).catch((error: unknown) => {
    const [reason, ...advice] = linesOf(error);
    const again = "Run the same command again, which sends it once more";
    throw failed(`could not be read back: ${reason}`, ...(advice.length > 0 ? advice : [again]));
  });
  const isWritten = (found: RemoteRecord) => names.includes(resource.key) || isSame(resource, olds, found);
  if (stored === undefined || !isWritten(stored)) throw failed("the service no longer finds it", REFRESH);
  return stored;
}

/**
 * Compares the answer to a write with all managed arguments, sent or not. If it shows a difference, or not all that was sent,
 * the record is read back first. Throws a `PartialFailure` if the service stored other values.
 */
export async function verifyWrite(
  context: Context,
  change: Change,
  answer: RemoteRecord | UnexpectedAnswer,
): Promise<ResourceState> {
  const { resource, records } = context;
  const { id, olds, wanted, names: sent } = change;
  records.invalidate(id, { id, values: wanted });
  const managed = [...new Set([...sent, ...updatable(resource, wanted), resource.key])];
  const [record, unexpected] = answer instanceof UnexpectedAnswer ? [undefined, answer] : [answer];

  // 1. The answer: does it show everything as declared? One may be the whole record, as Laravel's `fresh()` reads it again, the
  // form, or an id alone.
  const unconfirmed = record
    ? [
        ...mismatches(resource, wanted, managed, record),
        ...sent.filter((name) => record.values[name] === undefined && !fieldOf(resource, name).writeOnly),
      ]
    : sent;
  if (unconfirmed.length === 0) return { id, state: stateAfter(resource, olds, wanted, record) };

  // 2. The record, read back. If the answer was an error, what the record does not show, such as a password, was not stored.
  const stored = await readBack(context, change);
  const refused = unexpected?.details.message === undefined ? [] : sent;
  const stillDifferent = [
    ...mismatches(resource, wanted, managed, stored),
    ...refused.filter((name) => stored.values[name] === undefined),
  ];
  if (stillDifferent.length === 0) return { id, state: stateAfter(resource, olds, wanted, stored) };

  // 3. Both differ from the program: state gets what the service has, so that the next preview shows it.
  const differences = stillDifferent.map((name) => {
    const field = fieldOf(resource, name);
    return `${name}: sent ${format(field, wanted[name] ?? field.clearsTo)}, stored ${format(field, stored.values[name])}`;
  });
  const subject = describeRecord({ resource, values: wanted, id });
  const answered = unexpected === undefined ? "" : `; ${unexpected.what}`;
  const lines = [
    `the service did not store ${subject} as asked: ${stillDifferent.join(", ")}${answered}`,
    ...differences,
    "Run the same command again; if it ends so again, declare a value that the service stores unchanged",
  ];
  throw partialFailure(resource, change, lines, stored, stillDifferent);
}

/** Sends a PUT. Returns the record, or the reason why the answer does not show it. */
async function sendPut(
  { api, resource, records }: Context,
  { id, wanted, names }: Change,
): Promise<RemoteRecord | UnexpectedAnswer> {
  const path = pathOf(resource, id);
  const form = encode(resource, wanted, names);
  const onSend = () => records.invalidate(id, { id, values: wanted });
  const request = { method: "PUT", path, form, onSend } as const;
  try {
    const answer = await api(request);
    // An answer that echoes the form has null for what was not sent, whatever the record has (the emulator's `reference`).
    const raw = Object.entries(parseRecord(request, answer)).filter(
      ([name, value]) => value !== null || name in form,
    );
    const found = decode(resource, Object.fromEntries(raw));
    if (found.id === undefined || found.id === id) return found;
    return new UnexpectedAnswer(request, `the service answered with id ${found.id}`);
  } catch (error) {
    if (error instanceof UnexpectedAnswer) return error;
    throw error;
  }
}

/**
 * Sends the named arguments to an existing record. A Laravel controller that assigns `$request->input(…)` to each column empties
 * what a PUT does not name, such as `exclude_ips` after a change of `privacy`: then all managed arguments are sent, once.
 */
export async function writeFields(context: Context, change: Change): Promise<ResourceState> {
  const { resource } = context;
  const { id, olds, wanted, names } = change;
  const send = async (each: Change) => verifyWrite(context, each, await sendPut(context, each));
  const unsent = updatable(resource, wanted).filter((name) => !names.includes(name));
  try {
    return await send(change).catch((error: unknown) => {
      const changed = error instanceof PartialFailure ? error.fields : [];
      if (!changed.some((name) => unsent.includes(name))) throw error;
      return send({ ...change, names: [...names, ...unsent] });
    });
  } catch (error) {
    const isMissing = error instanceof ApiError && error.failure === "missing";
    throw describeFailure({ resource, values: olds, id }, "updated", error, isMissing ? [REFRESH] : []);
  }
}
