import type { IncomingHttpHeaders } from "node:http";
import {
  ApiError,
  excerpt,
  isBusy,
  type Meaning,
  type Request,
  type Response,
  UnexpectedAnswer,
} from "./api";
import { getOwn, hasContent, isJsonObject } from "./json";
import { serviceWords } from "./redact";

/** An answer as it arrived. */
export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The proxy that it came through, for messages. */
  readonly via?: string | undefined;
}

/** Parses an answer, or rejects it by its status and shape; never by its words, which are translated. */
export function parseResponse(request: Request, raw: RawResponse): Response {
  if (raw.status >= 300 && raw.status < 400 && raw.status !== 304) throw redirected(request, raw);
  const text = raw.text.replace(/^\uFEFF/, "").trim();
  const body = parseJson(text);
  const inner = getOwn(body, "status");
  // Only text and numbers: an object in JSON may have a member `toString`.
  const isCode = ["string", "number"].includes(typeof inner) && /^[45]\d\d$/.test(String(inner));
  const status = raw.status < 400 && isCode ? Number(inner) : raw.status;
  const meaning =
    request.reportedFailure?.(status, body) ??
    (status < 300 ? undefined : meaningOf(status, body, request.method));
  if (meaning !== undefined) throw rejected(request, meaning, status, body, raw);
  if (text !== "" && body === undefined)
    throw new UnexpectedAnswer(
      request,
      `the service answered ${status} with ${originOf(raw, "no content type")} instead of JSON; is the base URL right?`,
      { status, likelyCause: "baseUrl" },
    );
  if (request.reportedFailure === undefined && reportsFailure(body)) {
    const message = messageOf(body);
    const what = `the service answered ${status} with an error${message === "" ? "" : `: ${excerpt(message)}`}`;
    throw new UnexpectedAnswer(request, what, { status, message });
  }
  return { status, body, date: Date.parse(String(raw.headers.date)) || undefined };
}

const NO: readonly unknown[] = [false, "false", "error", "failed"];

/** Whether an answer contradicts its own status. The members of a bare record are the record's. */
function reportsFailure(body: unknown): boolean {
  if (!isJsonObject(body) || Object.hasOwn(body, "id")) return false;
  const has = (name: string) => hasContent(getOwn(body, name));
  // In maintenance, a list may be empty, with words that say why.
  const isExcuse = Array.isArray(getOwn(body, "data")) && !["data", "meta"].some(has);
  return (
    ["status", "success"].some((name) => NO.includes(getOwn(body, name))) ||
    ["error", "errors", ...(isExcuse ? ["message", "msg"] : [])].some(has)
  );
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

function redirected(request: Request, { status, headers, via }: RawResponse): ApiError {
  const to = headers.location === undefined ? "" : ` to ${excerpt(serviceWords(headers.location))}`;
  const target = via === undefined ? to : `${to}, ${via}`;
  const orProxy = via === undefined ? "" : ", or the proxy answers in its place";
  const permanent = status === 301 || status === 308;
  return new ApiError(
    request,
    permanent ? "rejected" : "unauthorised",
    `the service redirects (${status}${target}), so ${permanent ? "the base URL is not exactly its address" : "the key or the base URL is probably wrong"}${orProxy}; redirects are not followed`,
    { status, likelyCause: permanent ? "baseUrl" : "key" },
  );
}

const FORBIDDEN: Meaning = [
  "rejected",
  "the service forbids it",
  "permission",
  "the account's subscription may not include the API",
];

const BUSY: Meaning = ["unclear", "the service is unavailable, or limits the requests", "pace"];

/** Statuses with a specific meaning. */
const meanings: Readonly<Record<number, Meaning>> = {
  304: [
    "unclear",
    "a cache answers in the service's place (304): let it pass these requests on to the service",
  ],
  401: ["unauthorised", "the service rejects the API key", "key"],
  403: FORBIDDEN,
  405: ["rejected", "the service does not know this operation; is the base URL right?", "baseUrl"],
  407: ["rejected", "a proxy asks for a name and a password", "proxy"],
  419: ["rejected", "the service treats this as a web page's form; is the base URL right?", "baseUrl"],
  429: ["rejected", "the service is throttling requests", "pace"],
};

function meaningOf(status: number, body: unknown, method: Request["method"]): Meaning {
  // Only what adds a record can meet a subscription's limit.
  if (status === 403 && method === "POST") {
    const [failure, text, likelyCause, guess] = FORBIDDEN;
    return [failure, text, likelyCause, `${guess}, or no more records`];
  }
  const specific = isBusy(status) ? BUSY : meanings[status];
  if (specific !== undefined) return specific;
  if (status >= 500) return ["unclear", "the service failed"];
  if (status !== 404 && status !== 410) return ["rejected", "the service refuses it"];
  return body === undefined
    ? ["rejected", "the service does not know this address; is the base URL right?", "baseUrl"]
    : ["missing", "the service does not find it"];
}

function rejected(
  request: Request,
  [failure, text, likelyCause, guess]: Meaning,
  status: number,
  body: unknown,
  raw: RawResponse,
): ApiError {
  const message = messageOf(body);
  const detail = body === undefined ? originOf(raw) : excerpt(message);
  const said = [...(status < 400 ? [] : [String(status)]), ...(detail === "" ? [] : [detail])].join(": ");
  const details = { status, fields: fieldMessages(body), message, likelyCause };
  const reason = guess === undefined ? "" : `: ${guess}`;
  return new ApiError(request, failure, `${text}${said === "" ? "" : ` (${said})`}${reason}`, details);
}

/** The type of an answer that is no JSON, and the proxy that it came through, as far as they are known. */
function originOf({ headers, via }: RawResponse, fallback = ""): string {
  const type = excerpt(serviceWords(headers["content-type"] ?? fallback));
  return [type, via].filter(Boolean).join(", ");
}

/** The service's words: its messages per field, or else its message. */
function messageOf(body: unknown): string {
  const fields = Object.entries(fieldMessages(body)).map(([name, words]) => `${name}: ${words}`);
  if (fields.length > 0) return serviceWords(fields.join("; "));
  for (const name of ["message", "msg", "error"]) {
    const words = joinMessages(getOwn(body, name));
    if (words !== "") return serviceWords(words);
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
