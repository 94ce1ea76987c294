import type { Field } from "./field";

/** A value for a message: short, on one line, and hidden if it is secret. */
export function format(field: Pick<Field<unknown>, "secret"> | undefined, value: unknown): string {
  if (field?.secret) return "(secret)";
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** The ids of records, for a message. */
export function formatIds(records: readonly { readonly id: string | undefined }[]): string {
  return records.map(({ id }) => `id ${id ?? "unknown"}`).join(", ");
}
