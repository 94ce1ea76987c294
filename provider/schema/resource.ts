import type { Field } from "./field";

/** The fields of a resource by the names that programs use. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** Values by name: arguments, state, or a record. An absent name is not managed, or not known. */
export type Values = Readonly<Record<string, unknown>>;

/** The service's groups of operations, each with its base URL and, optionally, its own key. */
export type Service = "analytics" | "data" | "market";

/** A resource as data: all that the lifecycle, the classes and the documentation know about it. */
export interface Resource<F extends Fields = Fields> {
  /** Name of the class and of the type token. */
  readonly type: string;
  /** The service that holds its records. */
  readonly service: Service;
  /** Path of the collection; a record has the path `path/id`. */
  readonly path: string;
  /** The unique field by which people recognize a record. */
  readonly key: NoInfer<keyof F & string>;
  /** Whether two accounts of an installation cannot have records with the same key. */
  readonly keyIsGlobal?: boolean;
  /** What is deleted with a record for good; a resource that has this is protected by default. */
  readonly deletesWith?: string;
  readonly inputs: F;
  /** Fields by which the service's list can be filtered, besides the search for the key. */
  readonly filters?: readonly NoInfer<keyof F & string>[];
  /** A rule about several fields. Returns the field that breaks it and the reason, or undefined. */
  readonly validateCreate?: (args: Values) => { field: string; reason: string } | undefined;
}

/** Defines a resource once; everything else is derived from this. */
export function defineResource<F extends Fields, const T extends string>(
  resource: Resource<F> & { readonly type: T },
): Resource<F> & { readonly type: T } {
  return resource;
}

/** A field by its name; the name must exist. */
export function fieldOf({ inputs }: Pick<Resource, "inputs">, name: string): Field<unknown> {
  const field = inputs[name];
  if (field === undefined) throw new TypeError(`no field ${name} exists`);
  return field;
}

/**
 * Whether a replacement deletes the old record first. It does for pixels: no change of an argument replaces one, but `--replace`
 * does, and the new one has the same name, which the service takes once. A website's new domain is created first.
 */
export function deletesFirst({ inputs }: Pick<Resource, "inputs">): boolean {
  return Object.values(inputs).every(({ replaces }) => !replaces);
}

/** The name for people, such as `website`. */
export function noun(resource: Resource): string {
  return resource.type.toLowerCase();
}

/** The plural name in programs, files and commands: `websites` for `Website`. */
export function pluralName({ type }: Pick<Resource, "type">): string {
  return `${type.charAt(0).toLowerCase()}${type.slice(1)}s`;
}

/** The path of one record. */
export function pathOf({ path }: Resource, id: string): string {
  return `${path}/${encodeURIComponent(id)}`;
}

/** In state, if the service stores a key otherwise than the program declares it, such as without `www.`: its hash. */
export const STORED_KEY = "__storedKey";
/**
 * In state, if the service shows it: when it created the record, by which a record is known that got the id of a deleted one. In
 * seconds since 1970 as the clock shows them, in base 36: the engine writes each byte of state twice with every change
 * (pulumi/pulumi#10960).
 */
export const CREATED = "__at";
/** What state notes beside a resource's own values. */
export const NOTES = [STORED_KEY, CREATED];

/** Stands for a value that a preview can't know yet. */
export const UNKNOWN = Symbol("unknown");

/** Whether a value, or an element of a list, can't be known yet. */
export function isUnknown(value: unknown): boolean {
  return value === UNKNOWN || (Array.isArray(value) && value.includes(UNKNOWN));
}
