import type { RemoteRecord } from "./codec";
import { fieldOf, type Resource, type Values } from "./resource";

/** Whether a record still is the one that state means. */
export function isSameRecord(resource: Resource, state: Values, found: RemoteRecord): boolean {
  const identity = resource.identity ?? [resource.key];
  return identity.some((name) => holds(resource, name, state[name], found));
}

/** Of these records, those that have this key, to the letter (spelling apart). */
export function filterByKey<T extends RemoteRecord>(
  resource: Resource,
  key: unknown,
  records: readonly T[],
): T[] {
  const field = fieldOf(resource, resource.key);
  const wanted = field.canonical(key);
  return records.filter((found) => {
    const value = found.values[resource.key];
    if (value === undefined || value === null) return false;
    // Every create looks through the same records.
    if (!canonicalKeys.has(found)) canonicalKeys.set(found, field.canonical(value));
    return canonicalKeys.get(found) === wanted;
  });
}
const canonicalKeys = new WeakMap<RemoteRecord, unknown>();

/** Whether a record may be what a server made of this key. */
export function couldHaveKey(resource: Resource, key: unknown, found: RemoteRecord): boolean {
  return holds(resource, resource.key, key, found);
}

function holds(resource: Resource, name: string, wanted: unknown, found: RemoteRecord): boolean {
  const value = found.values[name];
  if (value === undefined || value === null || wanted === undefined) return false;
  return fieldOf(resource, name).matches(wanted, value);
}
