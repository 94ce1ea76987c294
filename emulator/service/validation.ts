import type { Columns, Row } from "./store";

/** What a rule may use besides the value. */
export interface RuleContext {
  /** The record as it would be stored. */
  next: Columns;
  /** Whether another record, of any tenant, has this value. */
  taken(value: string): boolean;
}

/** Returns what is wrong with a sent value, or nothing. An empty value is null. */
export type Rule = (value: string | null, circumstances: RuleContext) => string | undefined;

/** A field of a form. */
export interface Field {
  name: string;
  /** Must be sent when a record is stored. */
  required?: true;
  /** Is ignored when a record is updated. */
  immutable?: true;
  /** Surrounding spaces are part of the value. */
  verbatim?: true;
  /** The default in the interface's description; few servers apply it. */
  defaultValue?: number;
  /** Normalizes a sent text for the store. */
  normalize?: (text: string) => string;
  /** The stored value of a text. */
  toColumn: (text: string) => string | number;
  rules: readonly Rule[];
}

/** The sent values by field, normalized; null for an empty value. */
export type FormValues = Record<string, string | null>;

/** Error messages by field. */
export type ValidationErrors = Record<string, string[]>;

/** Reads the known fields of a form, trimmed and normalized. */
export function parseForm(
  fields: readonly Field[],
  form: URLSearchParams,
  existing: Row | undefined,
): FormValues {
  const sent: FormValues = {};
  for (const field of fields) {
    const raw = form.getAll(field.name).at(-1);
    if (raw === undefined || (field.immutable && existing)) continue;
    const text = field.verbatim ? raw : raw.trim();
    sent[field.name] = text === "" ? null : (field.normalize?.(text) ?? text);
  }
  return sent;
}

/** The columns that a form sets. `withDefaults` also sets the omitted ones of a new record. */
export function columnsOf(fields: readonly Field[], sent: FormValues, withDefaults: boolean): Columns {
  const columns: Columns = {};
  for (const { name, toColumn, defaultValue } of fields) {
    const text = sent[name];
    if (text !== undefined) columns[name] = text === null ? null : toColumn(text);
    else if (withDefaults && defaultValue !== undefined) columns[name] = defaultValue;
  }
  return columns;
}

/** The errors of a form; empty if it may be stored. */
export function validationErrors(
  fields: readonly Field[],
  sent: FormValues,
  existing: Row | undefined,
  next: Columns,
  taken: (column: string, value: string) => boolean,
): ValidationErrors {
  const found: ValidationErrors = {};
  for (const { name, required: isRequired, rules } of fields) {
    const value = sent[name];
    const words =
      value === undefined
        ? [existing === undefined && isRequired ? missing(name) : undefined]
        : rules.map((rule) => rule(value, { next, taken: (text) => taken(name, text) }));
    const wrong = words.filter((sentence) => sentence !== undefined);
    if (wrong.length > 0) found[name] = wrong;
  }
  return found;
}

/** A sent value must not be empty. */
export function notEmpty(name: string): Rule {
  return (value) => (value === null ? missing(name) : undefined);
}

/** A value must be one of these. */
export function oneOf(name: string, allowed: readonly string[]): Rule {
  return (value) =>
    value === null || allowed.includes(value) ? undefined : `The selected ${name} is invalid.`;
}

/** A value must match the pattern. */
export function matchesFormat(name: string, pattern: RegExp): Rule {
  return (value) => (value === null || pattern.test(value) ? undefined : `The ${name} format is invalid.`);
}

/** A value must not have more characters than this. */
export function maxLength(name: string, length: number): Rule {
  return (value) =>
    [...(value ?? "")].length > length
      ? `The ${name} may not be greater than ${length} characters.`
      : undefined;
}

/** No other record may have the value. */
export function unique(name: string): Rule {
  return (value, { taken }) =>
    value !== null && taken(value) ? `The ${name} has already been taken.` : undefined;
}

function missing(name: string): string {
  return `The ${name} field is required.`;
}
