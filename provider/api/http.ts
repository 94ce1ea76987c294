import { type ClientRequest, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import type { Agents } from "got";
import type { Endpoint } from "../config";
import { decodeCredential } from "../config/parse";
import type { ErrorDetails, Request } from "./api";
import type { RawResponse } from "./response";
import type { Outcome } from "./retry";

/** The largest accepted body, in bytes after decompression. */
const MAX_BODY_BYTES = 5 * 1024 * 1024;
/**
 * How long a POST still counts after its answer. It has a connection of its own, which nginx's `limit_conn` counts until shortly
 * after the answer: the next request, if it left at once, would be one too many.
 */
const CLOSES_AFTER_MS = 5;

/** No whole answer came. Only `unsent` and `untrusted` prove that the service has not seen the request. */
export class TransportError extends Error {
  constructor(
    readonly outcome: Exclude<Outcome, number>,
    message: string,
    readonly likelyCause?: ErrorDetails["likelyCause"],
  ) {
    super(message);
  }
}

/** Where and how one attempt is sent. */
type Transport = Pick<Endpoint, "baseUrl" | "timeout" | "proxy"> & {
  readonly headers: Readonly<Record<string, string>>;
};

/** Starts to load what the first request needs. */
export function prepare(): void {
  import("got").catch(() => {});
}

/** Sends one request once and reads the whole answer. Rejects with `TransportError`. */
export async function send(request: Request, transport: Transport): Promise<RawResponse> {
  const { default: got } = await import("got");
  const { method, path, query = {}, form, json } = request;
  const url = new URL(transport.baseUrl + path);
  const { agent, via } = await routeOf(url.href, method, transport);
  const tooLarge = new AbortController();
  const sending = got(url, {
    method,
    signal: tooLarge.signal,
    headers: {
      accept: "application/json",
      "cache-control": "no-cache",
      "user-agent": "pulumi-tracking",
      ...transport.headers,
    },
    searchParams: { ...query },
    ...(form && { form: { ...form } }),
    ...(json && { json }),
    agent,
    timeout: { request: transport.timeout },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
  });
  // From here on the request may have arrived, however the connection ends.
  let isOpen = false;
  void sending.on("request", (sent: ClientRequest) => {
    sent.once("socket", (socket: Socket) => {
      const opens = socket.connecting || Reflect.get(socket, "secureConnecting") === true;
      const open = () => {
        isOpen = true;
      };
      if (opens) socket.once(Reflect.get(socket, "encrypted") === true ? "secureConnect" : "connect", open);
      else if (!socket.destroyed) open();
    });
  });
  void sending.on("downloadProgress", ({ transferred }) => {
    if (transferred > MAX_BODY_BYTES) tooLarge.abort();
  });
  try {
    const { statusCode, headers, body } = await sending;
    if (method === "POST" && statusCode < 400) await setTimeout(CLOSES_AFTER_MS);
    return { status: statusCode, headers, text: body, host: url.host, via };
  } catch (error) {
    throw transportError(error, transport.timeout, isOpen, via);
  }
}

/**
 * How long each address of a name is tried, as part of the time-out. With Node's 250 ms, a service 300 ms away is never reached
 * that has an address of IPv6 too, if there is no route for that: https://github.com/nodejs/node/issues/54359.
 */
const ATTEMPT_SHARE = 0.1;
const LEAST_ATTEMPT_MS = 250;

/** Those that open connections, by how they do that: whether they keep them, and how long they try an address. */
const agents = new Map<string, Agents>();
/** The same through a proxy, by its address too. */
const tunnels = new Map<string, HttpsAgent>();

/** How a request is sent, and the proxy between, without its password: the service is not to blame for what fails there. */
async function routeOf(href: string, method: Request["method"], { proxy, timeout }: Transport) {
  // A POST has its own connection: if a server closed a reused one at the same moment, nobody would know whether the
  // record was created.
  const keepAlive = method !== "POST";
  const autoSelectFamilyAttemptTimeout = Math.max(LEAST_ATTEMPT_MS, timeout * ATTEMPT_SHARE);
  const options = { keepAlive, autoSelectFamilyAttemptTimeout };
  const kept = `${keepAlive} ${autoSelectFamilyAttemptTimeout}`;
  const address = proxy && (await import("proxy-from-env")).getProxyForUrl(href);
  if (!address) {
    const agent = agents.get(kept) ?? { http: new HttpAgent(options), https: new HttpsAgent(options) };
    agents.set(kept, agent);
    return { agent, via: undefined };
  }
  const url = URL.parse(address);
  if (url === null || !/^https?:/.test(address))
    throw new TransportError("untrusted", `${proxy} is not an http:// or https:// address`, "proxy");
  // Encoded again, since the agent stops at a percent sign that is not.
  url.username = encodeURIComponent(decodeCredential(url.username));
  url.password = encodeURIComponent(decodeCredential(url.password));
  const via = `through the proxy ${url.host} (${proxy})`;
  // got expects the class of node:https, and uses only what all agents have.
  const opened = async () =>
    new (await import("https-proxy-agent")).HttpsProxyAgent(url, options) as unknown as HttpsAgent;
  const tunnel = tunnels.get(`${address} ${kept}`) ?? (await opened());
  tunnels.set(`${address} ${kept}`, tunnel);
  return { agent: { http: tunnel, https: tunnel }, via };
}

const NO_TLS =
  "no TLS connection to it is possible (CODE); is it an http:// address, or does it ask for a client certificate, or for TLS 1.1?";
const NO_TRUST = "its certificate is not trusted (CODE); name your own authority in NODE_EXTRA_CA_CERTS";
type UnsentReason = readonly [codes: RegExp, ...ConstructorParameters<typeof TransportError>];
/** Why nothing was sent, by the error's code: the first that fits. Only what is `unsent` is worth a second attempt. */
const unsentReasons: readonly UnsentReason[] = [
  [/^ECONNREFUSED$/, "unsent", "nothing answers there (connection refused)", "down"],
  [/^ENOTFOUND$/, "unsent", "no such host exists"],
  [/^(EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/, "unsent", "it can't be reached (CODE)", "down"],
  [/^ERR_INVALID_CHAR$/, "untrusted", "the API key has a character that can't be sent", "key"],
  [/^EPROTO$|CERTIFICATE_REQUIRED|_PROTOCOL|_VERSION|HTTP_REQUEST|PACKET_LENGTH/, "untrusted", NO_TLS],
  [/ALTNAME_INVALID|HOSTNAME_MISMATCH/, "untrusted", "its certificate is for another host (CODE)"],
  [/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/, "untrusted", NO_TRUST],
];

function transportError(error: unknown, timeout: number, isOpen: boolean, via?: string): TransportError {
  if (via !== undefined) {
    const { outcome, message, likelyCause } = transportError(error, timeout, isOpen);
    return new TransportError(
      outcome,
      `${via}: ${message}`,
      likelyCause === "baseUrl" || likelyCause === "down" ? "proxy" : likelyCause,
    );
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ERR_ABORTED")
    return new TransportError("too-large", `the answer is larger than ${MAX_BODY_BYTES / 2 ** 20} MiB`);
  // A server may refuse a connection after its handshake, but before any request.
  const isRefused = !isOpen || code.endsWith("CERTIFICATE_REQUIRED");
  const reason = isRefused ? unsentReasons.find(([codes]) => codes.test(code)) : undefined;
  if (reason) {
    const [, outcome, what, likelyCause = "baseUrl"] = reason;
    return new TransportError(outcome, what.replace("CODE", code), likelyCause);
  }
  if (code === "ETIMEDOUT" && !isOpen)
    return new TransportError("unsent", `no connection to it opened within ${timeout / 1000} s`, "baseUrl");
  if (code === "ETIMEDOUT") return new TransportError("lost", `no answer within ${timeout / 1000} s`);
  return new TransportError("lost", `the connection broke (${code || "no whole answer"})`);
}
