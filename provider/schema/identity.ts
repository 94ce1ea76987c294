import type { RemoteRecord } from "./codec";
import { fieldOf, type Resource, type Values } from "./resource";

/** Whether a record is still the one in state. */
export function isSameRecord(resource: Resource, state: Values, found: RemoteRecord): boolean {
  const identity = resource.identity ?? [resource.key];
  return identity.some((name) => holds(resource, name, state[name], found));
}

/** The records with exactly this key, in any spelling. */
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
    // Every create searches the same records.
    if (!canonicalKeys.has(found)) canonicalKeys.set(found, field.canonical(value));
    return canonicalKeys.get(found) === wanted;
  });
}
const canonicalKeys = new WeakMap<RemoteRecord, unknown>();

/** Whether a server may have stored this key as the one of the record. */
export function couldHaveKey(resource: Resource, key: unknown, found: RemoteRecord): boolean {
  return holds(resource, resource.key, key, found);
}

function holds(resource: Resource, name: string, wanted: unknown, found: RemoteRecord): boolean {
  const value = found.values[name];
  if (value === undefined || value === null || wanted === undefined) return false;
  return fieldOf(resource, name).matches(wanted, value);
}
