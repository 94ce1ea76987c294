import { getOwn, hasContent } from "./json";

/** The members of an envelope that hold the requested data. */
const ENVELOPES = ["data", "items", "item", "purchase", "product"];
/** The members that identify data without an envelope. */
const IDENTIFYING_FIELDS = ["id", "username", "purchase_code"];
/** Servers send the marketplace's "no" with each of these; other statuses have a meaning of their own. */
const STATUSES: readonly number[] = [400, 404, 410, 422];

/**
 * Whether an answer of the marketplace is a "no": a message without the requested data. Neither its words nor the text
 * of its `status` count, since both may be translated. An empty list or object is no data.
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
