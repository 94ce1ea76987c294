import type { Meaning, Request } from "./api";

/** What follows from a status: the request was turned away, may be done though the answer says no, failed, or is answered for good. */
export type Verdict = "limited" | "busy" | "failed" | "answered";

type Row = readonly [verdict: Verdict, meaning: Meaning];

const REFUSED: Meaning = ["rejected", "the service refuses it"];
const LIMITED: Meaning = ["rejected", "the service is throttling requests", "pace"];
const BUSY: Meaning = ["unclear", "the service is unavailable, or limits the requests", "pace"];
const forbidden = (more = ""): Meaning => [
  "rejected",
  "the service forbids it",
  "permission",
  `the account's subscription may not include the API${more}, or so many requests`,
];
const FAILED: Meaning = ["unclear", "the service failed"];
const MISSING: Meaning = ["missing", "the service does not find it"];
const WRONG_ADDRESS: Meaning = [
  "rejected",
  "the service does not know this address; is the base URL right?",
  "baseUrl",
];

/** The statuses with a meaning of their own, and who sends them. */
const rows: Readonly<Record<number, Row>> = {
  // A cache between, asked or not.
  304: [
    "answered",
    ["unclear", "a cache answers in the service's place (304): let it pass these requests on to the service"],
  ],
  // Laravel, if the request asks for JSON.
  401: ["answered", ["unauthorised", "the service rejects the API key", "key"]],
  // The service, if the plan has no API access; django-ratelimit.
  403: ["answered", forbidden()],
  // Laravel, for an address of its web pages.
  405: [
    "answered",
    ["rejected", "the service does not know this operation; is the base URL right?", "baseUrl"],
  ],
  407: ["answered", ["rejected", "a proxy asks for a name and a password", "proxy"]],
  // HAProxy and Apache, if the request took too long to come; load balancers, if its answer did.
  408: ["busy", BUSY],
  // Laravel, for a form of its web pages.
  419: [
    "answered",
    ["rejected", "the service treats this as a web page's form; is the base URL right?", "baseUrl"],
  ],
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

/** Limits if they name a wait: 403 of AWS WAF and Akeyless, 409 and 423 of services with a lock, 420 of before there was 429. */
const limitsWithWait = new Set([403, 409, 420, 423]);

/** Cloudflare's, about a service that it does not reach or understand; 529, of services that have too much to do. */
const FIRST_OF_CLOUDFLARE = 520;
const LAST_OF_CLOUDFLARE = 530;

/**
 * What follows from a status, and what it means unless it is a success.
 *
 * @param answer whether it is JSON, and whether it asks to wait
 */
export function judge(
  status: number,
  { method, alwaysExists = false }: Pick<Request, "method" | "alwaysExists">,
  { isJson, namesWait }: { readonly isJson: boolean; readonly namesWait: boolean },
): readonly [verdict: Verdict, meaning?: Meaning] {
  if (status < 300) return ["answered"];
  if (namesWait && limitsWithWait.has(status)) return ["limited", LIMITED];
  // Only what adds a record can meet a subscription's limit.
  if (status === 403 && method === "POST") return ["answered", forbidden(", more records")];
  if (status === 404 || status === 410)
    return ["answered", isJson && !alwaysExists ? MISSING : WRONG_ADDRESS];
  if (status >= FIRST_OF_CLOUDFLARE && status <= LAST_OF_CLOUDFLARE) return ["busy", BUSY];
  return rows[status] ?? (status >= 500 ? ["failed", FAILED] : ["answered", REFUSED]);
}
