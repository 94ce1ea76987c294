import type { IncomingHttpHeaders } from "node:http";
import { ApiError, excerpt, type Meaning, type Request, type Response, UnexpectedAnswer } from "./api";
import { parseLimit } from "./headers";
import { getOwn, hasContent, isJsonObject } from "./json";
import { serviceWords } from "./redact";
import { judge, type Verdict } from "./statuses";

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

/** What an answer means. */
export interface Parsed {
  /** Its HTTP status, or the one in its body. */
  readonly status: number;
  readonly verdict: Verdict;
  /** How long the service asks to wait, in milliseconds, and how many more requests it will accept, if it says so. */
  readonly asked?: number | undefined;
  readonly remaining?: number | undefined;
  readonly result: Response | ApiError;
}

/** Parses an answer by its status and shape; never by its words, which are translated. */
export function parseResponse(request: Request, raw: RawResponse): Parsed {
  const text = raw.text.replace(/^\uFEFF/, "").trim();
  const body = parseJson(text);
  const status = statusOf(raw.status, body);
  const isJson = body !== undefined;
  const { wait, usedUp, reset, remaining } = parseLimit(raw.headers, Date.now());
  const [verdict, meaning] = judge(status, request, { isJson, namesWait: wait !== undefined });
  const own = isRedirect(status) ? meaningOfRedirect(raw) : request.reportedFailure?.(status, body);
  const front = verdict === "answered" ? meaningOfFront(status, raw) : undefined;
  const saysNo = request.reportedFailure === undefined && reportsFailure(body) ? SAYS_NO : undefined;
  const noJson = text !== "" && !isJson ? NO_JSON : undefined;
  const first = isRedirect(status) ? (front ?? own) : (own ?? front);
  const why = first ?? meaning ?? noJson ?? saysNo;
  const result = why ? failure(request, why, { status, verdict, body, raw }) : { status, body };
  // A window that is not used up is no reason to wait: a 502 may come with `X-RateLimit-Remaining: 4999` and the end of the hour.
  const asked = wait ?? usedUp ?? (verdict === "limited" ? reset : undefined);
  return { status, verdict, asked, remaining, result };
}

/** The HTTP status, or one of 400 and above in the body of a success. Only text and numbers: an object in JSON may have a member `toString`. */
function statusOf(status: number, body: unknown): number {
  const inner = getOwn(body, "status");
  const isCode = ["string", "number"].includes(typeof inner) && /^[45]\d\d$/.test(String(inner));
  return status < 300 && isCode ? Number(inner) : status;
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

const SAYS_NO: Meaning = ["unclear", "the service answered with an error"];
const NO_JSON: Meaning = ["unclear", "the service answered with no JSON; is the base URL right?", "baseUrl"];

/**
 * What it means if a server in front of the service answers in its place: with a page, while the service answers in JSON, or by a
 * redirect to its log-in page. Cloudflare Access and IAP lead to another host, oauth2-proxy to its own path.
 */
function meaningOfFront(status: number, { headers, host = "", via }: RawResponse): Meaning | undefined {
  if (isRedirect(status) && !isPermanent(status) && via === undefined && host !== "") {
    const target = URL.parse(headers.location ?? "", `https://${host}`);
    const bare = (name: string) => name.replace(/^www\./, "");
    const isElsewhere = target !== null && bare(target.host) !== bare(host);
    if (isElsewhere || target?.pathname.startsWith("/oauth2/"))
      return ["rejected", "a server in front of the service redirects to its log-in page", "front"];
  }
  if (!/^text\/html\b/i.test(headers["content-type"] ?? "")) return undefined;
  // A firewall, or a check that only a browser passes.
  if (status === 403) return ["rejected", "a server in front of the service refuses it", "front"];
  if (status >= 300) return undefined;
  const guess = "a server in front of it may ask people to log in, or the base URL may be wrong";
  return ["unclear", "the service answered with a page instead of JSON", "front", guess];
}

/** Whether it leads elsewhere. A 304 does not. */
function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

function isPermanent(status: number): boolean {
  return status === 301 || status === 308;
}

function meaningOfRedirect({ status, via }: RawResponse): Meaning {
  const [isWrong, failure, cause] = isPermanent(status)
    ? (["the base URL is not exactly its address", "rejected", "baseUrl"] as const)
    : (["the key or the base URL is probably wrong", "unauthorised", "key"] as const);
  const orProxy = via === undefined ? "" : ", or the proxy answers in its place";
  return [failure, "the service redirects", cause, `${isWrong}${orProxy}; redirects are not followed`];
}

/** How an answer failed that means this. */
function failure(
  request: Request,
  [kind, text, likelyCause, guess]: Meaning,
  { status, verdict, body, raw }: Pick<Parsed, "status" | "verdict"> & { body: unknown; raw: RawResponse },
): ApiError {
  const message = messageOf(body);
  const number = status >= 300 || body === undefined ? String(status) : "";
  const to = isRedirect(status) ? serviceWords(raw.headers.location ?? "") : "";
  const from = to === "" ? serviceWords(raw.headers["content-type"] ?? "") : to;
  // Where it leads, or else its type, and the proxy that it came through.
  const origin = [excerpt(from), raw.via].filter(Boolean).join(", ");
  const detail = body === undefined || to !== "" ? origin : excerpt(message);
  const said = [number, detail].filter(Boolean).join(to === "" ? ": " : " to ");
  const what = `${text}${said === "" ? "" : ` (${said})`}${guess === undefined ? "" : `: ${guess}`}`;
  const isBusy = verdict === "busy";
  const details = { status, fields: fieldMessages(body), message, likelyCause, ...(isBusy && { isBusy }) };
  if (status < 300 && kind === "unclear") return new UnexpectedAnswer(request, what, details);
  return new ApiError(request, kind, what, details);
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
