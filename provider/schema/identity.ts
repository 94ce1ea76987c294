import type { RemoteRecord } from "./codec";
import { keyHash } from "./fingerprint";
import { CREATED, fieldOf, NOTES, type Resource, STORED_KEY, type Values } from "./resource";

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
export function creationOf({ [CREATED]: note }: Values): number {
  return typeof note === "string" ? 1000 * Number.parseInt(note, 36) : Number.NaN;
}

/** The note of creation: the one in state, as it is, since services show one time in several forms; else of the record's. */
export function creationEntry({ [CREATED]: note }: Values, found?: Pick<RemoteRecord, "createdAt">): Values {
  if (note !== undefined) return { [CREATED]: note };
  const second = secondOf(found?.createdAt);
  return Number.isNaN(second) ? {} : { [CREATED]: (second / 1000).toString(36) };
}

/** A key and a second of creation (`creationOf` or `secondOf`), among those of all kinds of records. */
export function signOf(resource: Resource, values: Values, created: number): string {
  return `${resource.path} ${canonicalKey(resource, values)} ${created}`;
}

/** Whether a record was provably created at another time than the one in state. */
export function isOfAnotherTime(state: Values, { createdAt }: Pick<RemoteRecord, "createdAt">): boolean {
  return areApart(creationOf(state), secondOf(createdAt));
}

/**
 * The canonical form of a record's key, the same for `Shop.example.com.` and `shop.example.com`; `undefined` if it has none, or
 * a preview can't know it.
 */
export function canonicalKey(resource: Resource, values: Values): string | undefined {
  const value = values[resource.key];
  return typeof value === "string" ? fieldOf(resource, resource.key).canonical(value) : undefined;
}

/** Whether state notes this key as the form of its own that the service stores. */
export function isStoredForm(resource: Resource, { [STORED_KEY]: note }: Values, key: unknown): boolean {
  return typeof key === "string" && note !== undefined && note === keyHash(resource, key);
}

/**
 * Whether a record has the key in state, in any spelling, or the form of it that the service stores. That form counts only if
 * state notes it: a service that strips `www.` stores `www.shop.com` as `shop.com`, but elsewhere the two may be two websites.
 */
export function hasKey(resource: Resource, state: Values, found: Values): boolean {
  const key = canonicalKey(resource, found);
  return key !== undefined && (key === canonicalKey(resource, state) || isStoredForm(resource, state, key));
}

/**
 * Whether a record with the id in state is the one in state, by its key and the time of its creation. A service that gives the id
 * of a deleted record to a new one, as SQLite does without AUTOINCREMENT, makes it another: a destroy then refuses, in place of
 * deleting what somebody else has created.
 *
 * A website's domain can't be changed on the service, so one with another domain is another website. A pixel's name can, on the
 * service's web page: created at the same time, it is the same pixel.
 */
export function isSame(
  resource: Resource,
  state: Values,
  { values, createdAt }: Pick<RemoteRecord, "values" | "createdAt">,
): boolean {
  if (isOfAnotherTime(state, { createdAt })) return false;
  if (hasKey(resource, state, values)) return true;
  return !fieldOf(resource, resource.key).replaces && creationOf(state) === secondOf(createdAt);
}

/**
 * The key for state, and the note beside it, if the service has the key `remoteKey`. Of a key that nobody can change there, such as
 * a domain, that is its own form of what the program sent, whatever it looks like: else the engine would replace the record.
 */
function keyWithNote(resource: Resource, state: Values, remoteKey: unknown): Values {
  const { [resource.key]: inState, [STORED_KEY]: note } = state;
  const field = fieldOf(resource, resource.key);
  const ofProgram = inState === undefined ? {} : { [resource.key]: inState };
  if (typeof remoteKey !== "string")
    return note === undefined ? ofProgram : { ...ofProgram, [STORED_KEY]: note };
  if (canonicalKey(resource, state) === field.canonical(remoteKey)) return ofProgram;
  const isForm =
    inState !== undefined &&
    (field.replaces || isStoredForm(resource, state, remoteKey) || field.matches(inState, remoteKey));
  return isForm
    ? { ...ofProgram, [STORED_KEY]: keyHash(resource, remoteKey) }
    : { [resource.key]: remoteKey };
}

/** The key in state, and the notes beside it, of a record as the service shows it, if it has. */
export function keyEntries(resource: Resource, state: Values, found?: RemoteRecord): Values {
  return { ...keyWithNote(resource, state, found?.values[resource.key]), ...creationEntry(state, found) };
}

/** State after a write of what is `wanted`, if the service has stored the key as `found` shows it. */
export function stateAfter(resource: Resource, olds: Values, wanted: Values, found?: RemoteRecord): Values {
  const notes = Object.fromEntries(NOTES.map((name) => [name, olds[name]]));
  return { ...wanted, ...keyEntries(resource, { ...notes, ...wanted }, found) };
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
