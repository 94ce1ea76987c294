import { scalar } from "./field";
import { fieldOf, type Resource, type Values } from "./resource";

/** A record as a server returned it, under the names that programs use. */
export interface RemoteRecord {
  /** Every digit kept; absent if the server returned none that JavaScript can hold exactly. */
  readonly id: string | undefined;
  /** `undefined` or absent: the server said nothing; `null`: nothing is set. */
  readonly values: Values;
  /** When the service created it, in its own format. */
  readonly createdAt?: string | undefined;
  /** When it was last changed, in the same format. */
  readonly updatedAt?: string | undefined;
}

/** An id as text; `undefined` if JSON could not hold it exactly or a path can't contain it. */
export function parseId(raw: unknown): string | undefined {
  if (typeof raw === "number") return Number.isSafeInteger(raw) && raw >= 0 ? String(raw) : undefined;
  return typeof raw === "string" && /^[\w-]{1,64}$/.test(raw) ? raw : undefined;
}

/** Reads one record's JSON object. Unknown members are ignored. */
export function decode(resource: Resource, raw: object): RemoteRecord {
  const member = (name: string): unknown => (Object.hasOwn(raw, name) ? Reflect.get(raw, name) : undefined);
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(resource.inputs)) {
    const wireName = field.wire ?? name;
    if (Object.hasOwn(raw, wireName)) values[name] = field.decode(member(wireName));
  }
  return {
    id: parseId(member("id")),
    values,
    createdAt: scalar(member("created_at")),
    updatedAt: scalar(member("updated_at")),
  };
}

/**
 * Returns a required argument that a record lacks, or undefined. An old version of the service says `url` for `domain` and
 * `pixel_id` for `value`, so its records can't be managed.
 */
export function lackingArgument({ inputs }: Resource, { values }: RemoteRecord): string | undefined {
  return Object.keys(inputs).find((name) => inputs[name]?.required && values[name] == null);
}

/** The form that sends the named arguments; a removed argument is sent as its `clearsTo`. */
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
