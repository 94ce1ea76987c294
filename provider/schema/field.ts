import type * as zod from "zod";

/** The zod namespace. It is handed in, so that a process which validates nothing never loads it. */
export type Zod = typeof zod;

/**
 * Everything there is to know about one argument of a resource: how a program may write it, how it travels,
 * and what a difference means. Each kind of field (`kinds.ts`) answers these questions for itself, so that no
 * shared code ever has to ask which kind it holds.
 *
 * A decoded value has three cases: `undefined`, the server said nothing (what state says stays); `null`, the
 * server said that nothing is set; or the value.
 */
export interface Field<T, Required extends boolean = boolean> {
  /** Whether a program has to give it. */
  readonly required: Required;
  /** Filled in where a program leaves it out. */
  readonly default?: T;
  /** Name on the wire, where it is not the argument's own. */
  readonly wire?: string;
  /** Further names under which servers answer with it. */
  readonly aliases?: readonly string[];
  /** A change needs a new record. */
  readonly replaces?: boolean;
  /** Its value must never be shown. */
  readonly secret?: boolean;
  /** Servers need not give it back: that they say nothing of it means nothing. */
  readonly writeOnly?: boolean;
  /** What leaving it out means once it was managed; without this, the server's value stays. */
  readonly clearsTo?: T;
  /** Servers may hold text beyond what is allowed, and a record that does is left as it is. */
  readonly lenient?: boolean;
  /** What a program may write, in words. */
  readonly expected: string;

  /** The program's side: validation of a known value. */
  validator(z: Zod): zod.ZodType<T>;
  /** The form field's text. */
  encode(value: T): string;
  /** What a server's JSON value stands for; more lenient than `encode`. */
  decode(raw: unknown): T | null | undefined;
  /** The text by which a server's search finds this value; nothing where some servers write it otherwise. */
  searchTerm(value: T): string | undefined;
  /** Two values with one canonical text are the same to everyone. */
  canonical(value: T): string;
  /** Whether a server that holds `stored` may have been given `value`. */
  matches(value: T, stored: T): boolean;
  /** One clause for people, where the change of the argument `name` is one that they should hear of. */
  notice?(before: T | undefined, after: T | undefined, name: string): string | undefined;
}

/** What a definition may say about any field. */
export interface FieldOptions<T> {
  readonly wire?: string;
  readonly aliases?: readonly string[];
  readonly replaces?: boolean;
  readonly writeOnly?: boolean;
  readonly default?: T;
}

type Kind<T> = Pick<Field<T>, "expected" | "validator" | "encode" | "decode"> &
  Partial<
    Pick<
      Field<T>,
      "canonical" | "matches" | "searchTerm" | "notice" | "lenient" | "secret" | "writeOnly" | "clearsTo"
    >
  >;

/** A field that is filled in where a program leaves it out, and so is always there. */
export type Defaulted<T> = Field<T, false> & { readonly default: T };

/** A field that a program must give. */
export function required<T>(kind: Kind<T>, traits: FieldOptions<T> = {}): Field<T, true> {
  return { ...withComparison(kind), ...traits, required: true };
}

/** A field that a program may leave out. */
export function optional<T>(kind: Kind<T>, traits: FieldOptions<T> = {}): Field<T, false> {
  return { ...withComparison(kind), ...traits, required: false };
}

/** A field that a program may leave out, with what it then is. */
export function defaulted<T>(kind: Kind<T>, traits: FieldOptions<T> & { readonly default: T }): Defaulted<T> {
  return { ...optional(kind, traits), default: traits.default };
}

/** The same field, where it may be left out. */
export function asOptional<T>(field: Field<T>): Field<T, false> {
  return { ...field, required: false };
}

function withComparison<T>(kind: Kind<T>): Omit<Field<T>, "required"> {
  const canonical = kind.canonical ?? kind.encode;
  return {
    canonical,
    searchTerm: canonical,
    matches: (value, stored) => canonical(value) === canonical(stored),
    ...kind,
  };
}

/** A scalar as text, where it is one; `undefined` for anything else. */
export function scalar(raw: unknown): string | undefined {
  return typeof raw === "string" || typeof raw === "number" || typeof raw === "boolean"
    ? String(raw)
    : undefined;
}
