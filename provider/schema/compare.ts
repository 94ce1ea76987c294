import type { RemoteRecord } from "./codec";
import type { Field } from "./field";
import { isStoredForm, keyEntries } from "./identity";
import { fieldOf, isUnknown, type Resource, type Values } from "./resource";

/** The arguments whose change must be sent to the service. */
export function changedFields(resource: Resource, olds: Values, news: Values): string[] {
  return Object.entries(resource.inputs)
    .filter(([name, field]) => {
      const before = olds[name];
      if (news[name] === undefined && before === undefined) return false;
      const after = news[name] ?? field.clearsTo;
      if (after === undefined || (name === resource.key && isStoredForm(resource, olds, after))) return false;
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
    const stored = found.values[name];
    const wanted = sent[name] ?? field.clearsTo;
    if (stored === undefined || wanted === undefined) return false;
    return stored === null || !field.matches(wanted, stored);
  });
}

/** Whether the program manages a field. What it never sets, such as `excludeIps`, is the service's: people may edit it there. */
function isManaged(field: Field<unknown>, inState: unknown): boolean {
  return inState !== undefined || field.required || field.default !== undefined;
}

/** Whether a record agrees with state in every field, so that another read would show nothing new. */
export function matchesState(resource: Resource, state: Values, found: RemoteRecord): boolean {
  return Object.entries(resource.inputs).every(([name, field]) => {
    const [inState, stored] = [state[name], found.values[name]];
    if (inState === undefined) return !isManaged(field, inState);
    return stored === undefined
      ? field.writeOnly === true
      : stored !== null && field.matches(inState, stored);
  });
}

/**
 * The program's spelling of a value if the server holds the same, else the server's. A program that declares `Shop.Example.com`
 * would otherwise see a change to `shop.example.com` after each refresh.
 */
export function inProgramSpelling(field: Field<unknown>, declared: unknown, stored: unknown): unknown {
  const isSame = declared !== undefined && !isUnknown(declared) && field.matches(declared, stored);
  return isSame ? declared : stored;
}

/**
 * State after reading: the program's spelling if the server holds the same value, the server's value if it differs,
 * and the value in state if the server says nothing. Fields that the program doesn't manage stay out.
 *
 * @param scope `"all"` includes fields that the program doesn't manage
 */
export function mergeRemote(
  resource: Resource,
  state: Values,
  found: RemoteRecord,
  scope: "managed" | "all" = "managed",
): Values {
  const merged: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(resource.inputs)) {
    const [inState, stored] = [state[name], found.values[name]];
    if (stored === null || !(scope === "all" || isManaged(field, inState))) continue;
    const value = stored === undefined ? inState : inProgramSpelling(field, inState, stored);
    if (value !== undefined) merged[name] = value;
  }
  return { ...merged, ...keyEntries(resource, state, found) };
}

const isReadable = {
  list: (value: unknown) => Array.isArray(value) && value.every((element) => typeof element === "string"),
  boolean: (value: unknown) => typeof value === "boolean",
  scalar: (value: unknown) => typeof value === "string",
};

/** The arguments whose value in state no program could have given, such as a text for `excludeIps` after an edit by hand. */
export function unreadableIn({ inputs }: Resource, values: Values): string[] {
  return Object.entries(inputs)
    .filter(([name, { shape }]) => {
      const value = values[name];
      return value != null && !isUnknown(value) && !isReadable[shape](value);
    })
    .map(([name]) => name);
}

/** A resource's own fields out of its values, without those that are not set and what state notes beside them. */
export function pick(resource: Resource, values: Values): Values {
  return Object.fromEntries(
    Object.keys(resource.inputs)
      .filter((name) => values[name] !== undefined)
      .map((name) => [name, values[name]]),
  );
}
