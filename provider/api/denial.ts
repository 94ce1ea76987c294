import { getOwn, hasContent } from "./json";

/** Where an envelope holds what was asked for. */
const ENVELOPES = ["data", "items", "item", "purchase", "product"];
/** What tells something that comes without an envelope. */
const IDENTIFYING_FIELDS = ["id", "username", "purchase_code"];
/** Each of them has been sent with the marketplace's words for "no"; others have a meaning of their own. */
const STATUSES: readonly number[] = [400, 404, 410, 422];

/**
 * Whether an answer of the marketplace says no: a message, and nothing that was asked for. Neither its words nor the
 * text of its `status` count, since both may be translated; an empty list or object is nothing.
 */
export function isDenial(status: number, body: unknown): boolean {
  if (status >= 300 && !STATUSES.includes(status)) return false;
  if (getOwn(body, "msg") === undefined) return false;
  const holds = ENVELOPES.some((name) => {
    const part = getOwn(body, name);
    return typeof part === "object" && hasContent(part);
  });
  return !holds && !IDENTIFYING_FIELDS.some((name) => getOwn(body, name) !== undefined);
}
