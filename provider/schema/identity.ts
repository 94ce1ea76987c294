import type { RemoteRecord } from "./codec";
import { keyHash } from "./fingerprint";
import {
  CREATED,
  CREATED_AT,
  DECLARED_KEY,
  fieldOf,
  type Resource,
  STORED_KEY,
  type Values,
} from "./resource";

/** All time zones differ by a multiple of this. */
const TIME_ZONE_STEP_MS = 900_000;
/** Services may round a time that they have just shown. */
const ROUNDING_MS = 2000;

/**
 * Whether two times are provably two. Time zones differ by quarters of an hour: `10:00:00` and `12:00:00` may be one moment in
 * UTC and in local time, so they prove nothing; `10:00:00` and `10:07:07` are two.
 */
function areApart(one: number, other: number): boolean {
  const apart = Math.abs(one - other) % TIME_ZONE_STEP_MS;
  return apart > ROUNDING_MS && apart < TIME_ZONE_STEP_MS - ROUNDING_MS;
}

/**
 * The second of a time as it is written, without its zone, since a list and a record may show one time in two forms. `NaN` for
 * one that proves nothing: without seconds, with a month's name, or MySQL's zero, `0000-00-00 00:00:00`.
 */
export function secondOf(time: unknown): number {
  const [, day, clock] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)/.exec(`${time}`) ?? [];
  return Date.parse(`${day}T${clock}Z`) || Number.NaN;
}

/** When the record in state was created, in milliseconds; `NaN` if state does not note it. */
export function creationOf({ [CREATED]: note, [CREATED_AT]: older }: Values): number {
  return typeof note === "string" ? 1000 * Number.parseInt(note, 36) : secondOf(older);
}

/** The note for state of a time, in milliseconds; none of `NaN`. */
function creationNote(second: number): Values {
  return Number.isNaN(second) ? {} : { [CREATED]: (second / 1000).toString(36) };
}

/** The note of creation in state, as it is, since services show one time in several forms; else of the record's. */
export function creationEntry(
  { [CREATED]: note, [CREATED_AT]: older }: Values,
  found?: Pick<RemoteRecord, "createdAt">,
): Values {
  if (note !== undefined) return { [CREATED]: note };
  return older === undefined ? creationNote(secondOf(found?.createdAt)) : { [CREATED_AT]: older };
}

/**
 * The time of creation in state after a write of our own. MySQL moves it with each write if it is a table's first TIMESTAMP
 * column: state gets the new one, or the next command would take the record for another one.
 */
export function creationAfter(olds: Values, found?: RemoteRecord): Values {
  const [inState, onService] = [creationOf(olds), secondOf(found?.createdAt)];
  return creationNote(Number.isNaN(inState) || areApart(inState, onService) ? onService : inState);
}

/**
 * The canonical form of a record's key, the same for `Shop.example.com.` and `shop.example.com`; `undefined` if it has none, or
 * a preview can't know it.
 */
export function canonicalKey(resource: Resource, values: Values): string | undefined {
  const value = values[resource.key];
  return typeof value === "string" ? fieldOf(resource, resource.key).canonical(value) : undefined;
}

/** Whether a note in state is of this key. */
export function isNoted(resource: Resource, state: Values, note: string, key: unknown): boolean {
  return typeof key === "string" && state[note] !== undefined && state[note] === keyHash(resource, key);
}

/**
 * Whether a record has the key in state, in any spelling, or the form of it that the service stores. That form counts only if
 * state notes it: a service that strips `www.` stores `www.shop.com` as `shop.com`, but elsewhere the two may be two websites.
 */
export function hasKey(resource: Resource, state: Values, found: Values): boolean {
  const key = canonicalKey(resource, found);
  return (
    key !== undefined && (key === canonicalKey(resource, state) || isNoted(resource, state, STORED_KEY, key))
  );
}

/** Whose a record is, seen from a resource in state. */
export type Identity = "same" | "renamed" | "maybe-renamed" | "another";

/**
 * Compares a record with the one in state, by its key and the time of its creation. Whoever asks compares the ids. A service
 * that gives the id of a deleted record to a new one, as SQLite does without AUTOINCREMENT, makes it `another` or
 * `maybe-renamed`: a destroy then refuses, in place of deleting what somebody else has created.
 *
 * - `another`: it was provably created at another time, whatever its key
 * - `same`: it has the key in state
 * - `renamed`: it has another key, and was provably created at the same time
 * - `maybe-renamed`: it has another key, and no time of creation proves whether it is another record: one is missing, rounded
 *   or in another time zone
 */
export function identify(
  resource: Resource,
  state: Values,
  { values, createdAt }: Omit<RemoteRecord, "id">,
): Identity {
  const [inState, onService] = [creationOf(state), secondOf(createdAt)];
  if (areApart(inState, onService)) return "another";
  if (hasKey(resource, state, values)) return "same";
  return inState === onService ? "renamed" : "maybe-renamed";
}

/** The key for state and the notes beside it, if the service has the key `remoteKey`. */
function keyWithNotes(resource: Resource, state: Values, remoteKey: unknown): Values {
  const { [resource.key]: inState, [STORED_KEY]: storedNote, [DECLARED_KEY]: declaredNote } = state;
  const entries = (key: unknown, notes: Values) =>
    Object.fromEntries(
      Object.entries({ [resource.key]: key, ...notes }).filter(([, value]) => value !== undefined),
    );
  if (typeof remoteKey !== "string")
    return entries(inState, { [STORED_KEY]: storedNote, [DECLARED_KEY]: declaredNote });
  const field = fieldOf(resource, resource.key);
  if (canonicalKey(resource, state) === field.canonical(remoteKey))
    return entries(inState, { [DECLARED_KEY]: declaredNote });
  const remoteHash = keyHash(resource, remoteKey);
  // The key is new in state, or someone has renamed the record back.
  if (inState === undefined || remoteHash === declaredNote) return entries(remoteKey, {});
  // The service stores another form of it.
  if (remoteHash === storedNote || field.matches(inState, remoteKey))
    return entries(inState, { [STORED_KEY]: remoteHash });
  // Someone has renamed it. A field that does not replace is corrected like any other, and needs no note.
  return entries(
    remoteKey,
    field.replaces ? { [DECLARED_KEY]: declaredNote ?? keyHash(resource, inState) } : {},
  );
}

/** The key in state, and the notes beside it, of a record as the service shows it, if it has. */
export function keyEntries(resource: Resource, state: Values, found?: RemoteRecord): Values {
  return { ...keyWithNotes(resource, state, found?.values[resource.key]), ...creationEntry(state, found) };
}

/** State after a write of what is `wanted`, if the service has stored the key as `found` shows it. */
export function stateAfter(resource: Resource, olds: Values, wanted: Values, found?: RemoteRecord): Values {
  const { [STORED_KEY]: storedNote } = olds;
  const before = { [STORED_KEY]: storedNote, ...creationAfter(olds, found), ...wanted };
  return { ...wanted, ...keyEntries(resource, before, found) };
}

/** The records with exactly this key, in any spelling: `www.shop.com` is not `shop.com`, which may be somebody else's. */
export function filterByKey<T extends RemoteRecord>(
  resource: Resource,
  key: unknown,
  records: readonly T[],
): T[] {
  const wanted = canonicalKey(resource, { [resource.key]: key });
  return records.filter(({ values }) => wanted !== undefined && canonicalKey(resource, values) === wanted);
}

/**
 * The canonical keys under which a server may have stored a record with this key: `www.shop.com` and `shop.com`. A create whose
 * answer was lost finds its record under either.
 */
export function keySpellings(resource: Resource, key: unknown): readonly string[] {
  return typeof key === "string" ? fieldOf(resource, resource.key).storedSpellings(key) : [];
}

/** The list parameters that search for a key; `undefined` if a server's search may miss it. */
export function searchFor(resource: Resource, value: unknown): Readonly<Record<string, string>> | undefined {
  const key = fieldOf(resource, resource.key);
  const search = key.searchTerm(value);
  return search === undefined ? undefined : { search, search_by: key.wire ?? resource.key };
}

/** Finds the records that a server may have stored under a key, in constant time for any number of records. */
export function indexByKey<T extends RemoteRecord>(
  resource: Resource,
  records: readonly T[],
): (key: unknown) => T[] {
  const byKey = new Map<string | undefined, T[]>();
  for (const record of records) {
    const key = canonicalKey(resource, record.values);
    const withKey = byKey.get(key);
    if (withKey === undefined) byKey.set(key, [record]);
    else withKey.push(record);
  }
  return (key) => keySpellings(resource, key).flatMap((spelling) => byKey.get(spelling) ?? []);
}
