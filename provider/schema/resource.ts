import type { Field } from "./field";

/** The fields of a resource by the names that programs use. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The service's groups of operations, each with a base URL and, if wanted, a key of its own. */
export type Service = "analytics" | "data" | "market";

/** A resource as data: all that the lifecycle, the classes and the documentation know of it. */
export interface Resource<F extends Fields = Fields> {
  /** Name of the class and of the type token. */
  readonly type: string;
  /** The service that holds its records. */
  readonly service: Service;
  /** Path of the collection; a record is at `path/id`. */
  readonly path: string;
  /** The field that is unique among records, by which a person recognises one. */
  readonly key: string;
  /** Fields of which one must still agree for a record to be the one in state. Default: the key. */
  readonly identity?: readonly string[];
  /** What is deleted with a record and can't be had back; a resource that has this is protected by default. */
  readonly deletesWith?: string;
  readonly inputs: F;
  /** Fields by which the service's list can be filtered, beside the search for the key. */
  readonly filters?: readonly string[];
  /** A rule that no single field can state: an error's text, or nothing. */
  readonly validateCreate?: (
    args: Readonly<Record<string, unknown>>,
  ) => { field: string; reason: string } | undefined;
}

/** States a resource once; everything else is derived from it. */
export function defineResource<F extends Fields, const T extends string>(
  resource: Resource<F> & {
    readonly type: T;
    readonly key: keyof F;
    readonly identity?: readonly (keyof F)[];
    readonly filters?: readonly (keyof F)[];
  },
): Resource<F> & { readonly type: T } {
  return resource;
}

/** A field that there must be. */
export function fieldOf({ inputs }: Pick<Resource, "inputs">, name: string): Field<unknown> {
  const field = inputs[name];
  if (field === undefined) throw new TypeError(`there is no field ${name}`);
  return field;
}

/** The name for people, such as `website`. */
export function noun(resource: Resource): string {
  return resource.type.toLowerCase();
}

/** The name of many of a type where programs, files and commands name them: `websites` of `Website`. */
export type PluralName<T extends string> = `${Uncapitalize<T>}s`;

/** The same, as text. */
export function pluralName({ type }: Pick<Resource, "type">): string {
  return `${type.charAt(0).toLowerCase()}${type.slice(1)}s`;
}

/** What one field holds. */
export type Value<T> = T extends Field<infer V> ? V : never;

/** A program's arguments, as plain values. */
export type Args<F extends Fields> = {
  [K in keyof F as F[K] extends Field<unknown, true> ? K : never]: Value<F[K]>;
} & {
  [K in keyof F as F[K] extends Field<unknown, true> ? never : K]?: Value<F[K]>;
};

/** A bag of values on its way: arguments, state, a record. A name that is absent is not managed, or not known. */
export type Values = Readonly<Record<string, unknown>>;

/** Stands for a value that a preview can't know yet. */
export const UNKNOWN = Symbol("unknown");

/** Whether a value, or an element of a list, can't be known yet. */
export function isUnknown(value: unknown): boolean {
  return value === UNKNOWN || (Array.isArray(value) && value.includes(UNKNOWN));
}
