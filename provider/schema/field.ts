/**
 * What a field and a resource are, as data: kinds, validation, the codec for the wire, comparison, identity. Pure: this folder
 * sends no request and knows no resource by name.
 */
import type * as zod from "zod";

/** The zod namespace. It is handed in, so that a process which validates nothing never loads it. */
export type Zod = typeof zod;

/**
 * Everything about one argument of a resource: how a program may write it, its form on the wire, and what a
 * difference means. Each kind of field (`kinds.ts`) answers these questions itself, so that shared code never asks
 * which kind it holds.
 *
 * A decoded value is `undefined` if the server said nothing (the value in state stays), `null` if the server said
 * that nothing is set, or the value.
 */
export interface Field<T, Required extends boolean = boolean> {
  /** Whether a program must set it. */
  readonly required: Required;
  /** Used if a program omits it. */
  readonly default?: T;
  /** Name on the wire, if it differs from the argument's. */
  readonly wire?: string;
  /** A change needs a new record. */
  readonly replaces?: boolean;
  /** Its value must never be shown. */
  readonly secret?: boolean;
  /** Servers need not return it, so its absence carries no information. */
  readonly writeOnly?: boolean;
  /** The value to send once a program stops managing it; without this, the server's value stays. */
  readonly clearsTo?: T;
  /** Servers may hold values that a program may not write, such as a `type` that a newer version has; such a record stays as it is. */
  readonly lenient?: boolean;
  /** The form of its values: one text or number, true or false, or a list of texts. */
  readonly shape: "scalar" | "boolean" | "list";
  /** What a program may write, for messages. */
  readonly expected: string;

  /** All values, if they are a few words. */
  readonly words?: readonly string[];
  /** Whether a message may quote a wrong text. Without this, it may. A secret may have been typed into the wrong field. */
  isQuotable?(wrong: string): boolean;

  /** @internal Validates a known value from the program. Not in the package's types, which don't name zod. */
  validator(z: Zod): zod.ZodType<T>;
  /** The text in the form. */
  encode(value: T): string;
  /** The meaning of a server's JSON value; more lenient than `encode`. */
  decode(raw: unknown): T | null | undefined;
  /** The text by which a server's search finds this value; `undefined` if a record may have it in another form. */
  searchTerm(value: T): string | undefined;
  /** Two values with the same canonical text are the same for every server. */
  canonical(value: T): string;
  /** The canonical texts under which a server may store this value. */
  storedSpellings(value: T): readonly string[];
  /** Whether a server may store `value` as `stored`. */
  matches(value: T, stored: T): boolean;
  /** One clause for people, if they should know about this change of the argument `name`. */
  notice?(before: T | undefined, after: T | undefined, name: string): string | undefined;
}

/** A scalar as text; `undefined` for anything else. */
export function scalar(raw: unknown): string | undefined {
  return typeof raw === "string" || typeof raw === "number" || typeof raw === "boolean"
    ? String(raw)
    : undefined;
}

/** What a definition may say about any field. */
export type FieldOptions<T> = Partial<Pick<Field<T>, "wire" | "replaces" | "writeOnly">>;

/** What a kind must say, and what it may say. */
type Kind<T> = Pick<Field<T>, "expected" | "validator" | "encode" | "decode"> &
  Partial<Omit<Field<T>, "matches">>;

/** The kind, with what follows from its canonical text unless it says so itself. */
function withComparison<T>(kind: Kind<T>): Omit<Field<T>, "required"> {
  const { canonical = kind.encode, storedSpellings = (value) => [canonical(value)] } = kind;
  return {
    shape: "scalar",
    ...kind,
    canonical,
    searchTerm: kind.searchTerm ?? canonical,
    storedSpellings,
    matches: (value, stored) => storedSpellings(value).includes(canonical(stored)),
  };
}

/** A field that a program must give. */
export function required<T>(kind: Kind<T>, traits: FieldOptions<T> = {}): Field<T, true> {
  return { ...withComparison(kind), ...traits, required: true };
}

/** A field that a program may omit, of a kind or of another field. */
export function optional<T>(kind: Kind<T>, traits: FieldOptions<T> = {}): Field<T, false> {
  return { ...withComparison(kind), ...traits, required: false };
}

/** The same field, which a program may omit, and its value then. */
export function withDefault<T>(field: Field<T>, value: T): Field<T, false> & { readonly default: T } {
  return { ...optional(field), default: value };
}
