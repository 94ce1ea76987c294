import type { RemoteRecord } from "./codec";
import type { Field } from "./field";
import { isNoted, keyEntries } from "./identity";
import { fieldOf, isUnknown, type Resource, STORED_KEY, type Values } from "./resource";

/** The arguments whose change must be sent to the service. */
export function changedFields(resource: Resource, olds: Values, news: Values): string[] {
  return Object.entries(resource.inputs)
    .filter(([name, field]) => {
      const before = olds[name];
      if (news[name] === undefined && before === undefined) return false;
      const after = news[name] ?? field.clearsTo;
      if (after === undefined || (name === resource.key && isNoted(resource, olds, STORED_KEY, after)))
        return false;
      return isUnknown(after) || before === undefined || field.canonical(before) !== field.canonical(after);
    })
    .map(([name]) => name);
}

/** The sent arguments for which a record shows another value. */
export function mismatches(
  resource: Resource,
  sent: Values,
  names: readonly string[],
  found: RemoteRecord,
): string[] {
  return names.filter((name) => {
    const field = fieldOf(resource, name);
    const value = found.values[name];
    const wanted = sent[name] ?? field.clearsTo;
    if (value === undefined || wanted === undefined) return false;
    return value === null || !field.matches(wanted, value);
  });
}

/** Whether a record agrees with state in every field, so that another read would show nothing new. */
export function matchesState(resource: Resource, state: Values, found: RemoteRecord): boolean {
  return Object.entries(resource.inputs).every(([name, field]) => {
    const [known, value] = [state[name], found.values[name]];
    if (known === undefined) return !isManaged(field, known);
    return value === undefined ? field.writeOnly === true : value !== null && field.matches(known, value);
  });
}

/**
 * State after reading: the program's spelling if the server holds the same value, the server's value if it differs,
 * and the value in state if the server says nothing. Fields that the program doesn't manage stay out, unless `all` is
 * set.
 */
export function mergeRemote(resource: Resource, state: Values, found: RemoteRecord, all = false): Values {
  const merged: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(resource.inputs)) {
    const [known, value] = [state[name], found.values[name]];
    if (value === null || !(all || isManaged(field, known))) continue;
    const kept = value === undefined ? known : inProgramSpelling(field, known, value);
    if (kept !== undefined) merged[name] = kept;
  }
  return { ...merged, ...keyEntries(resource, state, found) };
}

/** The program's spelling of a value if the server holds the same, else the server's. */
export function inProgramSpelling(field: Field<unknown>, own: unknown, stored: unknown): unknown {
  return own !== undefined && !isUnknown(own) && field.matches(own, stored) ? own : stored;
}

/** Whether the program manages a field. */
function isManaged(field: Field<unknown>, known: unknown): boolean {
  return known !== undefined || field.required || field.default !== undefined;
}

/** A resource's own fields out of a bag, without those that are not set and what state notes beside them. */
export function pick(resource: Resource, values: Values): Values {
  return Object.fromEntries(
    Object.keys(resource.inputs)
      .filter((name) => values[name] !== undefined)
      .map((name) => [name, values[name]]),
  );
}
