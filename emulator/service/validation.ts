import type { Columns, Row } from "./store";

/** What a rule may look at besides the value itself. */
export interface RuleContext {
  /** The record as it would be stored. */
  next: Columns;
  /** Whether another record, of any tenant, has this value. */
  taken(value: string): boolean;
}

/** Says what is wrong with a value that was sent, or nothing. An empty value arrives as null. */
export type Rule = (value: string | null, circumstances: RuleContext) => string | undefined;

/** One field of a form: all that the service knows of it. */
export interface Field {
  name: string;
  /** Must be sent when a record is stored. */
  required?: true;
  /** Is ignored when a record is updated. */
  fixed?: true;
  /** Blanks at the ends are part of the value. */
  verbatim?: true;
  /** What the interface names as the default; few servers fill it in. */
  preset?: number;
  /** How text that was sent is spelled in the store. */
  spelling?: (text: string) => string;
  /** What the store holds for a text. */
  column: (text: string) => string | number;
  rules: readonly Rule[];
}

/** What was sent, field by field, as the service understands it: null for an empty value. */
export type FormValues = Record<string, string | null>;

/** Complaints by field, each a list of sentences. */
export type ValidationErrors = Record<string, string[]>;

/** Picks the known fields out of a form, trims them and spells them. */
export function parseForm(
  fields: readonly Field[],
  form: URLSearchParams,
  existing: Row | undefined,
): FormValues {
  const sent: FormValues = {};
  for (const field of fields) {
    const raw = form.getAll(field.name).at(-1);
    if (raw === undefined || (field.fixed && existing)) continue;
    const text = field.verbatim ? raw : raw.trim();
    sent[field.name] = text === "" ? null : (field.spelling?.(text) ?? text);
  }
  return sent;
}

/** The columns that a form sets. `presets` also fills in what was left out of a new record. */
export function columnsOf(fields: readonly Field[], sent: FormValues, presets: boolean): Columns {
  const columns: Columns = {};
  for (const { name, column, preset } of fields) {
    const text = sent[name];
    if (text !== undefined) columns[name] = text === null ? null : column(text);
    else if (presets && preset !== undefined) columns[name] = preset;
  }
  return columns;
}

/** Everything that is wrong with a form; empty when it may be stored. */
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

/** A value must look like this. */
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
