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

/** Whose a record is, seen from a resource in state. */
export type Identity = "same" | "renamed" | "another" | "unknown";

/**
 * Compares a record with the one in state, by its key and the time of its creation. Whoever asks compares the ids.
 *
 * - `another`: it was provably created at another time, whatever its key
 * - `same`: it has exactly the key in state
 * - `renamed`: it has another key, and was provably created at the same time
 * - `unknown`: it has another key, and no time proves anything
 */
export function identify(
  resource: Resource,
  state: Values,
  { values, createdAt }: Omit<RemoteRecord, "id">,
): Identity {
  const [before, now] = [creationOf(state), secondOf(createdAt)];
  if (areApart(before, now)) return "another";
  if (hasKey(resource, state, values)) return "same";
  return before === now ? "renamed" : "unknown";
}

/** Whether a record has exactly the key in state, or the form of it that the service stores, spelling apart. */
export function hasKey(resource: Resource, state: Values, found: Values): boolean {
  const key = canonicalKey(resource, found);
  return (
    key !== undefined && (key === canonicalKey(resource, state) || isNoted(resource, state, STORED_KEY, key))
  );
}

/** Time zones differ by quarters of an hour, and services may round a time that they have just shown. */
const QUARTER_MS = 900_000;
const ROUNDING_MS = 2000;

/** Whether two times are provably two, which those that time zones or rounding may make of one are not. */
function areApart(before: number, now: number): boolean {
  const apart = Math.abs(before - now) % QUARTER_MS;
  return apart > ROUNDING_MS && apart < QUARTER_MS - ROUNDING_MS;
}

/**
 * The second of a time as it is written, without its zone, since a list and a record may show one time in two forms. `NaN` for
 * one without seconds or a month's number, and for the zero of databases: they prove nothing.
 */
export function secondOf(time: unknown): number {
  const [, day, clock] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)/.exec(`${time}`) ?? [];
  return Date.parse(`${day}T${clock}Z`) || Number.NaN;
}

/** When the record in state was created, in milliseconds; `NaN` if state does not note it. */
export function creationOf({ [CREATED]: note, [CREATED_AT]: older }: Values): number {
  return typeof note === "string" ? 1000 * Number.parseInt(note, 36) : secondOf(older);
}

/** The note for state of a time, in milliseconds; of one that proves nothing there is none. */
function noteOf(second: number): Values {
  return Number.isNaN(second) ? {} : { [CREATED]: (second / 1000).toString(36) };
}

/** The note of creation in state, as it is, since services show one time in several forms; else of the record's. */
export function creationEntry(
  { [CREATED]: note, [CREATED_AT]: older }: Values,
  found?: Pick<RemoteRecord, "createdAt">,
): Values {
  if (note !== undefined) return { [CREATED]: note };
  return older === undefined ? noteOf(secondOf(found?.createdAt)) : { [CREATED_AT]: older };
}

/** Whether a note in state is of this key. */
export function isNoted(resource: Resource, state: Values, note: string, key: unknown): boolean {
  return typeof key === "string" && state[note] !== undefined && state[note] === keyHash(resource, key);
}

/** The key in state, and the notes beside it, of a record as the service shows it, if it has. */
export function keyEntries(resource: Resource, state: Values, found?: RemoteRecord): Values {
  return { ...entriesOf(resource, state, found?.values[resource.key]), ...creationEntry(state, found) };
}

function entriesOf(resource: Resource, state: Values, stored: unknown): Values {
  const { [resource.key]: own, [STORED_KEY]: known, [DECLARED_KEY]: declared } = state;
  const entries = (key: unknown, notes: Values) =>
    Object.fromEntries(
      Object.entries({ [resource.key]: key, ...notes }).filter(([, value]) => value !== undefined),
    );
  if (typeof stored !== "string") return entries(own, { [STORED_KEY]: known, [DECLARED_KEY]: declared });
  const [field, storedHash] = [fieldOf(resource, resource.key), keyHash(resource, stored)];
  if (canonicalKey(resource, state) === field.canonical(stored))
    return entries(own, { [DECLARED_KEY]: declared });
  if (own === undefined || storedHash === declared) return entries(stored, {});
  if (storedHash === known || field.matches(own, stored)) return entries(own, { [STORED_KEY]: storedHash });
  // A field that does not replace is corrected like any other.
  return entries(stored, field.replaces ? { [DECLARED_KEY]: declared ?? keyHash(resource, own) } : {});
}

/** State after a write of what is `wanted`, if the service has stored the key as `found` shows it. */
export function stateAfter(resource: Resource, olds: Values, wanted: Values, found?: RemoteRecord): Values {
  const { [STORED_KEY]: stored } = olds;
  const known = { [STORED_KEY]: stored, ...creationAfter(olds, found), ...wanted };
  return { ...wanted, ...keyEntries(resource, known, found) };
}

/**
 * The time of creation in state after a write of our own. MySQL moves it with each write if it is a table's first TIMESTAMP
 * column: state gets the new one, or the next command would take the record for another one.
 */
export function creationAfter(olds: Values, found?: RemoteRecord): Values {
  const [before, now] = [creationOf(olds), secondOf(found?.createdAt)];
  return noteOf(Number.isNaN(before) || areApart(before, now) ? now : before);
}

/** The canonical form of a record's key; nothing if it has none, or a preview can't know it. */
export function canonicalKey(resource: Resource, values: Values): string | undefined {
  const value = values[resource.key];
  return typeof value === "string" ? fieldOf(resource, resource.key).canonical(value) : undefined;
}

/** The records with exactly this key, in any spelling. */
export function filterByKey<T extends RemoteRecord>(
  resource: Resource,
  key: unknown,
  records: readonly T[],
): T[] {
  const wanted = canonicalKey(resource, { [resource.key]: key });
  return records.filter(({ values }) => wanted !== undefined && canonicalKey(resource, values) === wanted);
}

/** The canonical keys under which a server may have stored a record with this key. */
export function keySpellings(resource: Resource, key: unknown): readonly string[] {
  return typeof key === "string" ? fieldOf(resource, resource.key).storedSpellings(key) : [];
}

/** The list parameters that search for a key; nothing if a server's search may miss it. */
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
    const same = byKey.get(key);
    if (same === undefined) byKey.set(key, [record]);
    else same.push(record);
  }
  return (key) => keySpellings(resource, key).flatMap((form) => byKey.get(form) ?? []);
}
