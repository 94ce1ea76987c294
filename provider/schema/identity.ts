import type { RemoteRecord } from "./codec";
import { keyPrint } from "./fingerprint";
import { CREATED_AT, DECLARED_KEY, fieldOf, type Resource, STORED_KEY, type Values } from "./resource";

/**
 * Whether a record has exactly the key of a resource, spelling apart, and was not provably created at another time than the
 * one in state. Whoever asks compares the ids.
 */
export function isSameRecord(resource: Resource, state: Values, found: RemoteRecord): boolean {
  const own = canonicalKey(resource, found.values);
  if (own === undefined || areApart(state[CREATED_AT], found.createdAt)) return false;
  return own === canonicalKey(resource, state) || isNoted(resource, state, STORED_KEY, own);
}

/** Whether a record was provably created at the moment that state has noted. Whoever asks compares the ids. */
export function isAsOld(state: Values, { createdAt }: RemoteRecord): boolean {
  const created = secondOf(createdAt);
  return created > 0 && created === secondOf(state[CREATED_AT]);
}

/** Time zones differ by quarters of an hour, and services may round a time that they have just shown. */
const QUARTER_MS = 900_000;
const ROUNDING_MS = 2000;

/** Whether two times of creation are provably those of two records, which two that time zones may make of one are not. */
export function areApart(before: unknown, now: unknown): boolean {
  const apart = Math.abs(secondOf(before) - secondOf(now)) % QUARTER_MS;
  return apart > ROUNDING_MS && apart < QUARTER_MS - ROUNDING_MS;
}

/**
 * The second of a time as it is written, without its zone, since a list and a record may show one time in two forms. `NaN` for
 * one without seconds or a month's number, which proves nothing.
 */
function secondOf(time: unknown): number {
  const [, day, clock] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)/.exec(`${time}`) ?? [];
  return Date.parse(`${day}T${clock}Z`);
}

/** Whether a note in state is of this key. */
export function isNoted(resource: Resource, state: Values, note: string, key: unknown): boolean {
  return typeof key === "string" && state[note] !== undefined && state[note] === keyPrint(resource, key);
}

/** The key in state, and the notes beside it, of a record as the service shows it, if it has. */
export function keyEntries(resource: Resource, state: Values, found?: RemoteRecord): Values {
  const createdAt = state[CREATED_AT] ?? found?.createdAt;
  const entries = entriesOf(resource, state, found?.values[resource.key]);
  return createdAt === undefined ? entries : { ...entries, [CREATED_AT]: createdAt };
}

function entriesOf(resource: Resource, state: Values, stored: unknown): Values {
  const { [resource.key]: own, [STORED_KEY]: known, [DECLARED_KEY]: declared } = state;
  const entries = (key: unknown, notes: Values) =>
    Object.fromEntries(
      Object.entries({ [resource.key]: key, ...notes }).filter(([, value]) => value !== undefined),
    );
  if (typeof stored !== "string") return entries(own, { [STORED_KEY]: known, [DECLARED_KEY]: declared });
  const [field, print] = [fieldOf(resource, resource.key), keyPrint(resource, stored)];
  if (canonicalKey(resource, state) === field.canonical(stored))
    return entries(own, { [DECLARED_KEY]: declared });
  if (own === undefined || print === declared) return entries(stored, {});
  if (print === known || field.matches(own, stored)) return entries(own, { [STORED_KEY]: print });
  // A field that does not replace is corrected like any other.
  return entries(stored, field.replaces ? { [DECLARED_KEY]: declared ?? keyPrint(resource, own) } : {});
}

/** State after a write of what is `wanted`, if the service has stored the key as `found` shows it. */
export function stateAfter(resource: Resource, olds: Values, wanted: Values, found?: RemoteRecord): Values {
  const { [STORED_KEY]: stored, [CREATED_AT]: createdAt } = olds;
  const known = { [STORED_KEY]: stored, [CREATED_AT]: createdAt, ...wanted };
  return { ...wanted, ...keyEntries(resource, known, found) };
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
