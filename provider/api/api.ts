/** One exchange with a service, whatever carries it. */
export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path below the base URL, ids encoded. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly form?: Readonly<Record<string, string>>;
  readonly json?: Readonly<Record<string, string>>;
  /** Every such service has this address: where it is not found, the base URL is wrong. */
  readonly fixed?: boolean;
  /** A POST that changes nothing, and may be sent again like a GET. */
  readonly idempotent?: boolean;
  /** What it means where the service has a message instead of what was asked for, whatever the status. */
  readonly denial?: "missing" | "rejected";
}

/** An answer that says that the operation was done. */
export interface Response {
  /** HTTP status, 200 to 299. */
  readonly status: number;
  /** Parsed JSON, or `undefined` for an empty body. */
  readonly body: unknown;
  /** When the service answered, by its own clock, in milliseconds; a whole second, rounded down. */
  readonly date?: number | undefined;
  /** Where it came from: the whole address, and what the setting of the base URL is called where it is set. */
  readonly source?: { readonly url: string; readonly setting: string };
}

/** The port through which everything reaches a service. Rejects with an `ApiError`. */
export type Api = (request: Request) => Promise<Response>;

/** How an exchange failed. */
export type Failure =
  /** The request provably never left: refused, unknown host, bad certificate. */
  | "unsent"
  /** The service can't have done it: it said so by its status. */
  | "rejected"
  /** A 404 or 410 in JSON. By itself it proves nothing: every unknown path says so. */
  | "missing"
  /** The key isn't accepted, or may not do this. */
  | "unauthorised"
  /** It may or may not have been done: no answer, half of one, a 5xx. */
  | "unclear";

/** What the service said when it failed, and what that means for who asked. */
export interface ErrorDetails {
  /** HTTP status, or the one in the body. */
  readonly status?: number | undefined;
  /** Its words about single fields, by their names on the wire. */
  readonly fields?: Readonly<Record<string, string>>;
  /** All of its words. */
  readonly message?: string;
  /** The setting that is probably wrong. */
  readonly likelyCause?: "baseUrl" | "key" | undefined;
  /** What that setting is called where it is set. */
  readonly label?: string;
  /** What to do, in one clause. */
  readonly remedy?: string;
}

/** The exchange failed: what was asked, what came back, and the service's own words. */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  constructor(
    readonly request: Pick<Request, "method" | "path">,
    readonly failure: Failure,
    /** One clause that says what happened. */
    readonly what: string,
    readonly details: ErrorDetails = {},
  ) {
    super(`${request.method} ${request.path}: ${withRemedy(what, details)}`);
  }

  /** What happened, and what to do where that is known. */
  get reason(): string {
    return withRemedy(this.what, this.details);
  }
}

function withRemedy(what: string, { remedy }: ErrorDetails): string {
  return remedy === undefined ? what : `${what} - ${remedy}`;
}

/** The answer arrived and makes no sense. The operation may have been done. */
export class UnexpectedAnswer extends ApiError {
  override readonly name = "UnexpectedAnswer";
  constructor(request: Pick<Request, "method" | "path">, what: string, details: ErrorDetails = {}) {
    super(request, "unclear", what, details);
  }
}

/**
 * The record of a show, store or update answer: what is named as the collection's records are, `data` where it is an
 * object, else the root where it has an id.
 */
export function parseRecord(request: Request, answer: Response): object {
  const data = getOwn(answer.body, "data");
  const record = [...namedByPath(request, answer, /s$/), data, answer.body].find(isJsonObject);
  if (record !== undefined && (record !== answer.body || Object.hasOwn(record, "id"))) return record;
  const what =
    Array.isArray(answer.body) || Array.isArray(data)
      ? "the service answered with a list where one record is due; is the base URL right?"
      : "the service answered without a record";
  // What was sent to be written may have been: then the address is the last thing to doubt.
  if (request.method !== "GET") throw new UnexpectedAnswer(request, what, { status: answer.status });
  throw misdirected(request, answer, what);
}

/** The answer is of something else than the service that was asked: names the address, and the setting to look at. */
export function misdirected(
  { method, path }: Pick<Request, "method" | "path">,
  { status, source }: Response,
  what: string,
): UnexpectedAnswer {
  return new UnexpectedAnswer({ method, path: source?.url ?? path }, what, {
    status,
    likelyCause: "baseUrl",
    ...(source && { label: source.setting, remedy: `check ${source.setting}` }),
  });
}

/** One page of a list: the root, `data` or `data.data`, and what the server says of the whole, if anything. */
export function parseList(
  request: Request,
  answer: Response,
): { records: object[]; lastPage: number | undefined; total: number | undefined } {
  const data = getOwn(answer.body, "data");
  const named = namedByPath(request, answer);
  const holders = [answer.body, data, ...named];
  const list = [...holders, ...holders.map((each) => getOwn(each, "data"))].find(Array.isArray);
  if (list === undefined)
    throw misdirected(request, answer, "the service answered without a list; is the base URL right?");
  const meta = [getOwn(answer.body, "meta"), ...holders].find((each) =>
    ["last_page", "total"].some((name) => getOwn(each, name) !== undefined),
  );
  return {
    records: list.filter(isJsonObject),
    lastPage: count(getOwn(meta, "last_page"), 1),
    total: count(getOwn(meta, "total"), 0),
  };
}

/** What an answer, or its `data`, holds under the name of the collection that was asked, without an ending of it. */
function namedByPath({ path }: Request, { body }: Response, ending: RegExp = /$/): unknown[] {
  const holders = [body, getOwn(body, "data")].filter(
    (each) => isJsonObject(each) && !Object.hasOwn(each, "id"),
  );
  const names = path.split("/").map((part) => part.replace(ending, ""));
  return holders.flatMap((holder) => names.map((name) => getOwn(holder, name)));
}

function count(raw: unknown, least: number): number | undefined {
  const value = typeof raw === "string" && raw !== "" ? Number(raw) : raw;
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least ? value : undefined;
}

/** An own member of a JSON object, so that a name such as `__proto__` means nothing. */
export function getOwn(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** Whether a JSON value is an object. */
export function isJsonObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether anything is in it, however deep. */
export function hasContent(value: unknown): boolean {
  if (Array.isArray(value) || isJsonObject(value)) return Object.values(value).some(hasContent);
  return value !== undefined && value !== null && value !== "" && value !== false;
}
