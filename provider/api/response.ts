import type { IncomingHttpHeaders } from "node:http";
import { ApiError, excerpt, type Meaning, type Request, type Response, UnexpectedAnswer } from "./api";
import { namesWait } from "./headers";
import { getOwn, hasContent, isJsonObject } from "./json";
import { serviceWords } from "./redact";
import { meaningOf, verdictOf } from "./statuses";

/** An answer as it arrived. */
export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The host that was asked. */
  readonly host?: string | undefined;
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
    (status < 300
      ? undefined
      : meaningOf(status, { ...request, body, namesWait: namesWait(raw.headers), isPage: isPage(raw) }));
  if (meaning !== undefined) throw rejected(request, meaning, status, body, raw);
  if (text !== "" && body === undefined) throw noJson(request, status, raw);
  if (request.reportedFailure === undefined && reportsFailure(body)) {
    const message = messageOf(body);
    const what = `the service answered ${status} with an error${message === "" ? "" : `: ${excerpt(message)}`}`;
    throw new UnexpectedAnswer(request, what, { status, message });
  }
  return { status, body };
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

function noJson(request: Request, status: number, raw: RawResponse): UnexpectedAnswer {
  const [question, likelyCause] = isPage(raw)
    ? [
        ", as a server in front of it does that asks people to log in; or is the base URL wrong?",
        "front" as const,
      ]
    : ["; is the base URL right?", "baseUrl" as const];
  const what = `the service answered ${status} with ${originOf(raw, "no content type")} instead of JSON${question}`;
  return new UnexpectedAnswer(request, what, { status, likelyCause });
}

function redirected(request: Request, { status, headers, via, host }: RawResponse): ApiError {
  const to = headers.location === undefined ? "" : ` to ${excerpt(serviceWords(headers.location))}`;
  const target = via === undefined ? to : `${to}, ${via}`;
  const orProxy = via === undefined ? "" : ", or the proxy answers in its place";
  const permanent = status === 301 || status === 308;
  if (!permanent && via === undefined && isLogInOfFront(headers.location, host))
    return new ApiError(
      request,
      "rejected",
      `a server in front of the service redirects to its log-in page (${status}${target})`,
      { status, likelyCause: "front" },
    );
  return new ApiError(
    request,
    permanent ? "rejected" : "unauthorised",
    `the service redirects (${status}${target}), so ${permanent ? "the base URL is not exactly its address" : "the key or the base URL is probably wrong"}${orProxy}; redirects are not followed`,
    { status, likelyCause: permanent ? "baseUrl" : "key" },
  );
}

/** Whether a redirect leads to another host, as of Cloudflare Access and IAP, or to oauth2-proxy's path. The service's own log-in page does not. */
function isLogInOfFront(location = "", host = ""): boolean {
  const target = URL.parse(location, `https://${host}`);
  const bare = (name: string) => name.replace(/^www\./, "");
  return (
    target !== null &&
    host !== "" &&
    (bare(target.host) !== bare(host) || target.pathname.startsWith("/oauth2/"))
  );
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
  const isBusy = verdictOf(status, false) === "busy";
  const details = { status, fields: fieldMessages(body), message, likelyCause, ...(isBusy && { isBusy }) };
  const reason = guess === undefined ? "" : `: ${guess}`;
  return new ApiError(request, failure, `${text}${said === "" ? "" : ` (${said})`}${reason}`, details);
}

function isPage({ headers }: RawResponse): boolean {
  return /^text\/html\b/i.test(headers["content-type"] ?? "");
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
