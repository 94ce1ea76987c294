import type { IncomingHttpHeaders } from "node:http";
import {
  ApiError,
  type ErrorDetails,
  type Failure,
  type Request,
  type Response,
  UnexpectedAnswer,
} from "./api";
import { getOwn, hasContent, isJsonObject } from "./json";

/** An answer as it arrived. */
export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Parses an answer, or rejects it by its status and shape; never by its words, which are translated. */
export function parseResponse(request: Request, raw: RawResponse): Response {
  const { status } = raw;
  if (status >= 300 && status < 400) throw redirected(request, raw);
  const text = raw.text.replace(/^\uFEFF/, "").trim();
  const body = parseJson(text);
  const inner = getOwn(body, "status");
  const effectiveStatus = status < 400 && typeof inner === "number" && inner >= 400 ? inner : status;
  if (request.denial !== undefined && isDenial(effectiveStatus, body))
    throw denied(request, request.denial, effectiveStatus, body);
  if (effectiveStatus >= 400) throw rejected(request, effectiveStatus, body, raw);
  const date = dateOf(raw);
  if (text === "") return { status, body: undefined, date };
  if (body === undefined)
    throw new UnexpectedAnswer(
      request,
      `the service answered ${status} with ${raw.headers["content-type"] ?? "no content type"} instead of JSON; is the base URL right?`,
      { status, likelyCause: "baseUrl" },
    );
  if (getOwn(body, "msg") !== undefined && !ENVELOPES.some((name) => getOwn(body, name)))
    throw denied(request, "missing", status, body);
  return { status, body, date };
}

function dateOf({ headers }: RawResponse): number | undefined {
  const date = Date.parse(headers.date ?? "");
  return Number.isNaN(date) ? undefined : date;
}

/** Deeper than any answer of the interface, and not too deep for recursion. */
const MAX_DEPTH = 64;

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isWithin(MAX_DEPTH, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isWithin(depth: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((each) => isWithin(depth - 1, each));
}

function redirected(request: Request, { status, headers }: RawResponse): ApiError {
  const target = headers.location === undefined ? "" : ` to ${headers.location}`;
  const permanent = status === 301 || status === 308;
  return new ApiError(
    request,
    permanent ? "rejected" : "unauthorised",
    `the service redirects (${status}${target}), so ${permanent ? "the base URL is not exactly its address" : "the key or the base URL is probably wrong"}; redirects are not followed`,
    { status, likelyCause: permanent ? "baseUrl" : "key" },
  );
}

type Meaning = readonly [failure: Failure, text: string, likelyCause?: ErrorDetails["likelyCause"]];

/** Statuses with a specific meaning. */
const meanings: Readonly<Record<number, Meaning>> = {
  401: ["unauthorised", "the service rejects the API key", "key"],
  403: ["rejected", "the service forbids it: the plan may have no API access, or no room for more records"],
  405: ["rejected", "the service does not know this operation; is the base URL right?", "baseUrl"],
  407: ["rejected", "a proxy asks for a name and a password", "proxy"],
  419: ["rejected", "the service treats this as a web page's form; is the base URL right?", "baseUrl"],
  429: ["rejected", "the service is throttling requests"],
  503: ["unclear", "the service is unavailable, perhaps for maintenance"],
};

function rejected(request: Request, status: number, body: unknown, { headers }: RawResponse): ApiError {
  const message = messageOf(body);
  const [failure, text, likelyCause] = meanings[status] ?? general(status, body);
  const detail = body === undefined ? (headers["content-type"] ?? "no content type") : message;
  const reason = `${text} (${status}${detail === "" ? "" : `: ${detail}`})`;
  return new ApiError(request, failure, reason, {
    status,
    fields: fieldMessages(body),
    message,
    likelyCause,
  });
}

/** The members of the marketplace's answers that hold the requested data. */
const ENVELOPES = ["data", "items", "item", "purchase", "product"];
/** The members that identify data without an envelope. */
const IDENTIFYING_FIELDS = ["id", "username", "purchase_code"];
/** Servers send the marketplace's "no" with each of these; other statuses have a meaning of their own. */
const DENIALS: readonly number[] = [400, 404, 410, 422];

/**
 * Whether an answer of the marketplace is a "no": a message without the requested data. Neither its words nor the text
 * of its `status` count, since both may be translated. An empty list or object is no data.
 */
function isDenial(status: number, body: unknown): boolean {
  if (status >= 300 && !DENIALS.includes(status)) return false;
  if (getOwn(body, "msg") === undefined) return false;
  const holds = ENVELOPES.some((name) => {
    const part = getOwn(body, name);
    return typeof part === "object" && hasContent(part);
  });
  return !holds && !IDENTIFYING_FIELDS.some((name) => getOwn(body, name) !== undefined);
}

/** The service sent only a message. The error repeats nothing but that message. */
function denied(request: Request, failure: "missing" | "rejected", status: number, body: unknown): ApiError {
  const message = messageOf(body);
  const reply = [...(status < 400 ? [] : [String(status)]), ...(message === "" ? [] : [message])].join(": ");
  const text =
    failure === "missing"
      ? "the service does not find it"
      : "the service says no, perhaps because the API key is wrong";
  return new ApiError(request, failure, `${text}${reply === "" ? "" : ` (${reply})`}`, {
    status,
    message,
    likelyCause: failure === "missing" ? undefined : "key",
  });
}

function general(status: number, body: unknown): Meaning {
  if (status >= 500) return ["unclear", "the service failed"];
  if (status !== 404 && status !== 410) return ["rejected", "the service refuses it"];
  return body === undefined
    ? ["rejected", "the service does not know this address; is the base URL right?", "baseUrl"]
    : ["missing", "the service does not find it"];
}

/** The service's words: its messages per field, or else its message. */
function messageOf(body: unknown): string {
  const fields = Object.entries(fieldMessages(body)).map(([name, words]) => `${name}: ${words}`);
  if (fields.length > 0) return fields.join("; ");
  for (const name of ["message", "msg", "error"]) {
    const words = joinMessages(getOwn(body, name));
    if (words !== "") return words;
  }
  return "";
}

function fieldMessages(body: unknown): Record<string, string> {
  const holder = [getOwn(body, "errors"), getOwn(body, "message")].find(isJsonObject);
  return Object.fromEntries(Object.entries(holder ?? {}).map(([name, words]) => [name, joinMessages(words)]));
}

function joinMessages(words: unknown): string {
  if (typeof words === "string") return words;
  return Array.isArray(words) ? words.map(joinMessages).filter(Boolean).join(" ") : "";
}
