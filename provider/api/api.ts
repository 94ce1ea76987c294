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
