import type { Meaning, Request } from "./api";

/** What follows from a status: the request was turned away, may be done though the answer says no, or is answered for good. */
export type Verdict = "limited" | "busy" | "answered";

type Row = readonly [
  verdict: Verdict | "limited if it names a wait",
  /** By default, that the service refuses it. */
  meaning?: Meaning,
];

const REFUSED: Meaning = ["rejected", "the service refuses it"];
const LIMITED: Meaning = ["rejected", "the service is throttling requests", "pace"];
const BUSY: Meaning = ["unclear", "the service is unavailable, or limits the requests", "pace"];
const forbidden = (more = ""): Meaning => [
  "rejected",
  "the service forbids it",
  "permission",
  `the account's subscription may not include the API${more}, or so many requests`,
];
const FRONT: Meaning = ["rejected", "a server in front of the service refuses it", "front"];

/** The statuses with a meaning of their own, and who sends them. */
const rows: Readonly<Record<number, Row>> = {
  // A cache between, asked or not.
  304: [
    "answered",
    ["unclear", "a cache answers in the service's place (304): let it pass these requests on to the service"],
  ],
  // Laravel, if the request asks for JSON.
  401: ["answered", ["unauthorised", "the service rejects the API key", "key"]],
  // The service, if the plan has no API access. With a wait: AWS WAF, Akeyless. Without any: django-ratelimit.
  403: ["limited if it names a wait", forbidden()],
  // Laravel, for an address of its web pages.
  405: [
    "answered",
    ["rejected", "the service does not know this operation; is the base URL right?", "baseUrl"],
  ],
  407: ["answered", ["rejected", "a proxy asks for a name and a password", "proxy"]],
  // HAProxy and Apache, if the request took too long to come; load balancers, if its answer did.
  408: ["busy", BUSY],
  // Services that do one thing at a time, such as with a lock.
  409: ["limited if it names a wait"],
  // Laravel, for a form of its web pages.
  419: [
    "answered",
    ["rejected", "the service treats this as a web page's form; is the base URL right?", "baseUrl"],
  ],
  // Limiters of before there was 429.
  420: ["limited if it names a wait"],
  423: ["limited if it names a wait"],
  // A front server that takes TLS 1.3's early data, and was told to wait for the handshake.
  425: ["busy", BUSY],
  // Limiters.
  429: ["limited", LIMITED],
  // nginx, if the workers behind it are all busy, or are started again.
  502: ["busy", BUSY],
  504: ["busy", BUSY],
  // nginx's `limit_conn` and `limit_req`; Laravel in maintenance.
  503: ["busy", BUSY],
};

/** Cloudflare's, about a service that it does not reach or understand; 529, of services that have too much to do. */
const FIRST_OF_CLOUDFLARE = 520;
const LAST_OF_CLOUDFLARE = 530;

function rowOf(status: number): Row {
  if (status >= FIRST_OF_CLOUDFLARE && status <= LAST_OF_CLOUDFLARE) return ["busy", BUSY];
  return rows[status] ?? ["answered"];
}

/**
 * What follows from a status.
 *
 * @param namesWait whether the answer asks to wait
 */
export function verdictOf(status: number, namesWait: boolean): Verdict {
  const [verdict] = rowOf(status);
  if (verdict !== "limited if it names a wait") return verdict;
  return namesWait ? "limited" : "answered";
}

/** An answer, as far as its meaning depends on it. */
interface Answer {
  readonly method: Request["method"];
  /** Parsed JSON, or undefined. */
  readonly body: unknown;
  readonly namesWait: boolean;
  readonly isPage: boolean;
}

/** What a status of 300 and above means. */
export function meaningOf(status: number, { method, body, namesWait, isPage }: Answer): Meaning {
  const [verdict, meaning] = rowOf(status);
  if (verdict === "limited if it names a wait" && namesWait) return LIMITED;
  // A firewall, or a check that nobody but a browser passes, such as Cloudflare's. The service itself answers in JSON.
  if (status === 403 && isPage) return FRONT;
  // Only what adds a record can meet a subscription's limit.
  if (status === 403 && method === "POST") return forbidden(", more records");
  if (meaning !== undefined) return meaning;
  if (status >= 500) return ["unclear", "the service failed"];
  if (status !== 404 && status !== 410) return REFUSED;
  return body === undefined
    ? ["rejected", "the service does not know this address; is the base URL right?", "baseUrl"]
    : ["missing", "the service does not find it"];
}
