import type { Columns, Row, Value } from "./store";

/** A field of a form. An empty value is null. */
export interface Field {
  name: string;
  /** Must be sent when a record is stored. */
  required?: true;
  /** Whether it must not be empty, by the record as it would be stored. */
  notEmpty?: (next: Columns) => boolean;
  /** Is ignored when a record is updated. */
  immutable?: true;
  /** Surrounding spaces are part of the value. */
  verbatim?: true;
  /** Its only values. */
  oneOf?: readonly string[];
  /** In characters. */
  maxLength?: number;
  format?: RegExp;
  /** No other record, of any tenant, may have the value. */
  unique?: true;
  /** Normalizes a sent text for the store. */
  normalize?: (text: string) => string;
  /** Is stored as a number. */
  numeric?: true;
  /** The default in the interface's description; few servers apply it. */
  defaultValue?: number;
  /** The column of a record that a seed leaves out; null by default. */
  blank?: Value;
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
export function columnsOf(
  fields: readonly Field[],
  sent: FormValues,
  { withDefaults = false } = {},
): Columns {
  const columns: Columns = {};
  for (const { name, numeric, defaultValue } of fields) {
    const text = sent[name];
    if (text !== undefined) columns[name] = numeric && text !== null ? Number(text) : text;
    else if (withDefaults && defaultValue !== undefined) columns[name] = defaultValue;
  }
  return columns;
}

/** The errors of a form; empty if it may be stored. `isTaken` says whether another record has a column's value. */
export function validationErrors(
  fields: readonly Field[],
  sent: FormValues,
  existing: Row | undefined,
  next: Columns,
  isTaken: (column: string, value: string) => boolean,
): ValidationErrors {
  const errorsOf = (field: Field): string[] => {
    const { name, required, notEmpty, oneOf, maxLength = Number.POSITIVE_INFINITY, format, unique } = field;
    const { [name]: value } = sent;
    const isMissing = value === undefined ? existing === undefined && required : notEmpty?.(next);
    if (value === undefined || value === null) return isMissing ? [`The ${name} field is required.`] : [];
    const checks = [
      oneOf?.includes(value) === false && `The selected ${name} is invalid.`,
      [...value].length > maxLength && `The ${name} may not be greater than ${maxLength} characters.`,
      format?.test(value) === false && `The ${name} format is invalid.`,
      unique && isTaken(name, value) && `The ${name} has already been taken.`,
    ];
    return checks.filter((sentence) => typeof sentence === "string");
  };
  const errors = fields.map((field) => [field.name, errorsOf(field)] as const);
  return Object.fromEntries(errors.filter(([, sentences]) => sentences.length > 0));
}
