/** One exchange with a service, over any transport. */
export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path below the base URL, ids encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: Readonly<Record<string, string>>;
  /** Every such service has this address, so a "not found" means a wrong base URL. */
  readonly alwaysExists?: boolean;
  /** A POST that changes nothing, so it may be repeated like a GET. */
  readonly idempotent?: boolean;
  /** Called each time that the request is about to be sent, after all that it waits for. */
  readonly onSend?: () => void;
  /** Recognizes how the operation says no in its own way; otherwise an answer's status, and what it says of itself, count. */
  readonly reportedFailure?: (status: number, body: unknown) => Meaning | undefined;
}

/** An answer to an operation that was done. */
export interface Response extends Evidence {
  /** HTTP status, 200 to 299. */
  readonly status: number;
  /** Parsed JSON, or `undefined` for an empty body. */
  readonly body: unknown;
  /** Where it came from: the whole address, and the name of the setting of its base URL. */
  readonly source?: { readonly url: string; readonly setting: string };
}

/** The port: everything reaches a service through it. Rejects with an `ApiError`. */
export type Api = (request: Request) => Promise<Response>;

/** When an answer was asked for, and when all of it had come (`performance.now()`). */
export interface Evidence {
  readonly askedAt?: number | undefined;
  readonly answeredAt?: number | undefined;
}

/** Whether an answer is so recent that it proves what it shows. */
export type IsFresh = (evidence: Evidence) => boolean;

/** How long a write may rest on an answer, in milliseconds. */
const MAX_AGE_MS = 10_000;

/** Whether an answer is no older than `maxAge`, in milliseconds. One that took long itself may be twice as old as that. */
export function isRecent({ askedAt, answeredAt = askedAt }: Evidence, now: number, maxAge = MAX_AGE_MS) {
  if (askedAt === undefined || answeredAt === undefined) return false;
  return now - askedAt <= Math.max(maxAge, 2 * (answeredAt - askedAt));
}

/** How an exchange failed. */
export type Failure =
  /** The request provably never left: refused, unknown host, bad certificate. */
  | "unsent"
  /** The service refused it by its status, so it was not done. */
  | "rejected"
  /** A 404 or 410 in JSON. Alone it proves nothing, since every unknown path answers so. */
  | "missing"
  /** The key is not accepted, or not allowed to do this. */
  | "unauthorised"
  /** It may or may not have been done: no answer, half of one, a 5xx. */
  | "unclear";

/**
 * What an answer means that is none: how the exchange failed, in one clause, the setting that is probably wrong, and what may be
 * the reason.
 */
export type Meaning = readonly [
  failure: Failure,
  text: string,
  likelyCause?: ErrorDetails["likelyCause"],
  guess?: string,
];

/** What the service answered when it failed, and what follows from it. */
export interface ErrorDetails {
  /** HTTP status, or the one in the body. */
  readonly status?: number | undefined;
  /** The whole address that answered. */
  readonly url?: string | undefined;
  /** Its messages about single fields, by their names on the wire. */
  readonly fields?: Readonly<Record<string, string>>;
  /** All of its messages. */
  readonly message?: string;
  /** The setting that is probably wrong, that what the key may do is not enough, or that a server in front of the service answers. */
  readonly likelyCause?: "baseUrl" | "down" | "key" | "proxy" | "pace" | "permission" | "front" | undefined;
  /** Whether the service, or a server in front of it, takes no more requests now, but may soon. It may have been done nevertheless. */
  readonly isBusy?: boolean;
  /** What to do, in one clause. */
  readonly advice?: string | undefined;
  /** Call it when a look shows that the request was done nevertheless: then the service has accepted it. */
  readonly wasDone?: () => void;
}

/** The exchange failed: the request, the outcome, and the service's own words. */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  constructor(
    readonly request: Pick<Request, "method" | "path">,
    readonly failure: Failure,
    /** One clause that says what happened. */
    readonly what: string,
    readonly details: ErrorDetails = {},
  ) {
    super(`${request.method} ${details.url ?? request.path}: ${withRemedy(what, details)}`);
  }

  /** What happened and, if known, what to do. */
  get reason(): string {
    return withRemedy(this.what, this.details);
  }
}

function withRemedy(what: string, { advice }: ErrorDetails): string {
  return advice === undefined ? what : `${what} - ${advice}`;
}

/** The answer makes no sense. The operation may have been done. */
export class UnexpectedAnswer extends ApiError {
  override readonly name = "UnexpectedAnswer";
  constructor(request: Pick<Request, "method" | "path">, what: string, details: ErrorDetails = {}) {
    super(request, "unclear", what, details);
  }
}

/** A text that begins a sentence. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** So many characters of what a service says stand in the first line of a message, which is all that the engine's rows show. */
const MAX_EXCERPT = 90;

/** The beginning of what a service says, with an ellipsis for the rest. */
export function excerpt(words: string): string {
  const characters = [...words];
  if (characters.length <= MAX_EXCERPT) return words;
  return `${characters
    .slice(0, MAX_EXCERPT - 1)
    .join("")
    .trimEnd()}…`;
}

/** Lines of a message as one, for a notice or a report. */
export function inOneLine(lines: readonly string[]): string {
  return lines.reduce((text, line) => `${text}${text.endsWith("?") ? "" : "."} ${line}`);
}

/** The lines of a failure for a person: what happened, and if it is known, what to do; without the request. */
export function linesOf(error: unknown): readonly string[] {
  if (error instanceof ApiError)
    return [error.what, ...(error.details.advice === undefined ? [] : [capitalized(error.details.advice)])];
  const { title, advice = [] } = error as { title?: string; advice?: readonly string[] };
  return [title ?? reasonOf(error), ...advice];
}

/** The reason of a failure in one line, without the request. */
export function reasonOf(error: unknown): string {
  if (error instanceof ApiError) return error.reason;
  return error instanceof Error ? error.message : String(error);
}
