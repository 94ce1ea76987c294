import type { Field } from "./field";
import { isUnknown, type Resource, type Values } from "./resource";

/** A record as a server gave it, in the names of programs. */
export interface RemoteRecord {
  /** Every digit kept; absent where the server gave none that can be held exactly. */
  readonly id: string | undefined;
  /** `undefined` or absent: nothing said; `null`: nothing set. */
  readonly values: Values;
  /** When the service made it, as it writes it. */
  readonly createdAt?: string;
}

/** Reads one record's JSON object. Unknown members are ignored. */
export function decode(resource: Resource, raw: object): RemoteRecord {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(resource.inputs)) {
    const member = [field.wire ?? name, ...(field.aliases ?? [])].find((each) => Object.hasOwn(raw, each));
    if (member !== undefined) values[name] = field.decode(Reflect.get(raw, member));
  }
  const createdAt: unknown = Object.hasOwn(raw, "created_at") ? Reflect.get(raw, "created_at") : undefined;
  return {
    id: Object.hasOwn(raw, "id") ? parseId(Reflect.get(raw, "id")) : undefined,
    values,
    ...(typeof createdAt === "string" && { createdAt }),
  };
}

/** How a resource's records are found: where they are, what they say, and how a server is asked for a key. */
export function collectionOf(resource: Resource) {
  const key = fieldOf(resource, resource.key);
  return {
    path: resource.path,
    decode: (raw: object): RemoteRecord => decode(resource, raw),
    matches: (value: unknown, found: RemoteRecord): boolean => couldHaveKey(resource, value, found),
    // Without `www.`, which some servers strip: a search finds every text that has it in it.
    search: (value: unknown): Record<string, string> | undefined =>
      key.searchMayMiss?.(value)
        ? undefined
        : { search: key.canonical(value).replace(/^www\./, ""), search_by: key.wire ?? resource.key },
  };
}

/** Whether a record says what state says, field by field, so that nothing is to be learnt from asking again. */
export function matchesState(resource: Resource, state: Values, found: RemoteRecord): boolean {
  return Object.entries(resource.inputs).every(([name, field]) => {
    const [known, value] = [state[name], found.values[name]];
    if (known === undefined) return !field.required && field.default === undefined;
    return value === undefined ? field.writeOnly === true : value !== null && field.matches(known, value);
  });
}

/** An id as text, or nothing if JSON could not hold it exactly or it can't stand in a path. */
export function parseId(raw: unknown): string | undefined {
  if (typeof raw === "number") return Number.isSafeInteger(raw) && raw >= 0 ? String(raw) : undefined;
  return typeof raw === "string" && /^[\w-]{1,64}$/.test(raw) ? raw : undefined;
}

/** The form that sends the named arguments; one that was dropped is sent as what dropping means. */
export function encode(
  resource: Pick<Resource, "inputs">,
  args: Values,
  names: readonly string[],
): Record<string, string> {
  const form: Record<string, string> = {};
  for (const name of names) {
    const field = fieldOf(resource, name);
    const value = args[name] ?? field.clearsTo;
    if (value !== undefined) form[field.wire ?? name] = field.encode(value);
  }
  return form;
}

/** The arguments whose change has to reach the service. */
export function changedFields(resource: Resource, olds: Values, news: Values): string[] {
  return Object.entries(resource.inputs)
    .filter(([name, field]) => {
      const before = olds[name];
      if (news[name] === undefined && before === undefined) return false;
      const after = news[name] ?? field.clearsTo;
      if (after === undefined) return false;
      return isUnknown(after) || before === undefined || field.canonical(before) !== field.canonical(after);
    })
    .map(([name]) => name);
}

/**
 * State after reading: the program's spelling where the server holds the same, the server's value where it
 * differs, and what state says where the server says nothing. What the program doesn't manage stays out, unless
 * `all` that the server says is wanted.
 */
export function mergeRemote(resource: Resource, state: Values, found: RemoteRecord, all = false): Values {
  const settled: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(resource.inputs)) {
    const known = state[name];
    const value = found.values[name];
    const unmanaged = known === undefined && !field.required && field.default === undefined;
    if (value === null || (unmanaged && !all)) continue;
    const kept = value === undefined || (known !== undefined && field.matches(known, value)) ? known : value;
    if (kept !== undefined) settled[name] = kept;
  }
  return settled;
}

/** A resource's own fields out of a bag; those that are not set are left out. */
export function pick(resource: Resource, values: Values): Values {
  return Object.fromEntries(
    Object.keys(resource.inputs)
      .filter((name) => values[name] !== undefined)
      .map((name) => [name, values[name]]),
  );
}

/** Which of the sent arguments a record does not show as sent. */
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

/** Whether a record still is the one that state means. */
export function isSameRecord(resource: Resource, state: Values, found: RemoteRecord): boolean {
  return (resource.identity ?? [resource.key]).some((name) => holds(resource, name, state[name], found));
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

/** A field that there must be. */
export function fieldOf({ inputs }: Pick<Resource, "inputs">, name: string): Field<unknown> {
  const field = inputs[name];
  if (field === undefined) throw new TypeError(`there is no field ${name}`);
  return field;
}

/** The ids of records, for a message. */
export function formatIds(found: readonly RemoteRecord[]): string {
  return found.map(({ id }) => `id ${id ?? "unknown"}`).join(", ");
}

/** A value for a message: short, on one line, and hidden where it is secret. */
export function format(field: Pick<Field<unknown>, "secret"> | undefined, value: unknown): string {
  if (field?.secret) return "(secret)";
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
