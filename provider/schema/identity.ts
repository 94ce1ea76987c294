import type { RemoteRecord } from "./codec";
import { fieldOf, type Resource, type Values } from "./resource";

/** Whether a record is still the one in state. */
export function isSameRecord(resource: Resource, state: Values, found: RemoteRecord): boolean {
  return (resource.identity ?? [resource.key]).some((name) => {
    const [wanted, value] = [state[name], found.values[name]];
    if (value === undefined || value === null || wanted === undefined) return false;
    return fieldOf(resource, name).matches(wanted, value);
  });
}

/** The canonical form of a record's key; nothing if it has none. */
export function canonicalKey(resource: Resource, values: Values): string | undefined {
  const value = values[resource.key];
  return value === undefined || value === null ? undefined : fieldOf(resource, resource.key).canonical(value);
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
export function keyForms(resource: Resource, key: unknown): readonly string[] {
  return fieldOf(resource, resource.key).storedForms(key);
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
  return (key) => keyForms(resource, key).flatMap((form) => byKey.get(form) ?? []);
}
