import {
  type Answer,
  ApiError,
  type Failure,
  isRecord,
  member,
  type Request,
  type Said,
  UnexpectedAnswer,
} from "./api";
import { isDenial } from "./denial";

/** What arrived, before anything is made of it. */
export interface Arrival {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** Makes an answer of what arrived, or rejects it by status and shape; never by words, which are translated. */
export function judge(request: Request, arrival: Arrival): Answer {
  const { status } = arrival;
  if (status >= 300 && status < 400) throw redirected(request, arrival);
  const text = arrival.text.replace(/^\uFEFF/, "").trim();
  const body = parse(text);
  const inner = member(body, "status");
  const told = status < 400 && typeof inner === "number" && inner >= 400 ? inner : status;
  if (request.denial !== undefined && isDenial(told, body)) throw denied(request, request.denial, told, body);
  if (told >= 400) throw refused(request, told, body, arrival);
  const date = dateOf(arrival);
  if (text === "") return { status, body: undefined, date };
  if (body === undefined)
    throw new UnexpectedAnswer(
      request,
      `the service answered ${status} with ${arrival.headers["content-type"] ?? "no content type"} where JSON is due; is the base URL right?`,
      { status, suspect: "baseUrl" },
    );
  if (
    member(body, "msg") !== undefined &&
    !["data", "items", "item", "purchase", "product"].some((name) => member(body, name))
  )
    throw denied(request, "missing", status, body);
  return { status, body, date };
}

function dateOf({ headers }: Arrival): number | undefined {
  const date = Date.parse(headers.date ?? "");
  return Number.isNaN(date) ? undefined : date;
}

/** Deeper than any answer of the interface, and not so deep that a function can't follow by calling itself. */
const MAX_DEPTH = 64;

function parse(text: string): unknown {
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

function redirected(request: Request, { status, headers }: Arrival): ApiError {
  const target = headers.location === undefined ? "" : ` to ${headers.location}`;
  const permanent = status === 301 || status === 308;
  return new ApiError(
    request,
    permanent ? "rejected" : "unauthorised",
    `the service redirects (${status}${target}), as it does where ${permanent ? "the base URL is not quite its address" : "the key or the base URL is wrong"}; it is not followed`,
    { status, suspect: permanent ? "baseUrl" : "key" },
  );
}

type Meaning = readonly [failure: Failure, text: string, suspect?: Said["suspect"]];

/** What a status means where it means something of its own. */
const meanings: Readonly<Record<number, Meaning>> = {
  401: ["unauthorised", "the service rejects the API key", "key"],
  403: ["rejected", "the service forbids it: the plan may have no API access, or no room for more records"],
  405: ["rejected", "the service does not know this operation; is the base URL right?", "baseUrl"],
  419: ["rejected", "the service takes this for a web page's form; is the base URL right?", "baseUrl"],
  429: ["rejected", "the service is throttling requests"],
  503: ["unclear", "the service is unavailable, perhaps for maintenance"],
};

function refused(request: Request, status: number, body: unknown, { headers }: Arrival): ApiError {
  const words = wordsOf(body);
  const [failure, text, suspect] = meanings[status] ?? general(status, body);
  const detail = body === undefined ? (headers["content-type"] ?? "no content type") : words;
  const reason = `${text} (${status}${detail === "" ? "" : `: ${detail}`})`;
  return new ApiError(request, failure, reason, { status, fields: fieldsOf(body), words, suspect });
}

/** The service has a message instead of what was asked for. Only what it sent is repeated. */
function denied(request: Request, failure: "missing" | "rejected", status: number, body: unknown): ApiError {
  const words = wordsOf(body);
  const told = [...(status < 400 ? [] : [String(status)]), ...(words === "" ? [] : [words])].join(": ");
  const text =
    failure === "missing"
      ? "the service does not find it"
      : "the service says no, as it does where the API key is wrong";
  return new ApiError(request, failure, `${text}${told === "" ? "" : ` (${told})`}`, {
    status,
    words,
    suspect: failure === "missing" ? undefined : "key",
  });
}

function general(status: number, body: unknown): Meaning {
  if (status >= 500) return ["unclear", "the service failed"];
  if (status !== 404 && status !== 410) return ["rejected", "the service refuses it"];
  return body === undefined
    ? ["rejected", "there is no such address; is the base URL right?", "baseUrl"]
    : ["missing", "the service does not find it"];
}

/** The service's words: per field where it gives them so, else whatever it calls its message. */
function wordsOf(body: unknown): string {
  const fields = Object.entries(fieldsOf(body)).map(([name, words]) => `${name}: ${words}`);
  if (fields.length > 0) return fields.join("; ");
  for (const name of ["message", "msg", "error"]) {
    const words = flat(member(body, name));
    if (words !== "") return words;
  }
  return "";
}

function fieldsOf(body: unknown): Record<string, string> {
  const holder = [member(body, "errors"), member(body, "message")].find(isRecord);
  return Object.fromEntries(Object.entries(holder ?? {}).map(([name, words]) => [name, flat(words)]));
}

function flat(words: unknown): string {
  if (typeof words === "string") return words;
  return Array.isArray(words) ? words.map(flat).filter(Boolean).join(" ") : "";
}
