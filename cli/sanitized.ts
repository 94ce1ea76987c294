import { sanitize } from "../provider/api/redact";

/** A copy of data, as JSON would have it, in which every text is sanitized. */
export function sanitized<T>(data: T): T {
  return JSON.parse(JSON.stringify(data), (_name, value) =>
    typeof value === "string" ? sanitize(value) : value,
  );
}
