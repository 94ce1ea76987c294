import { type ClientRequest, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Socket } from "node:net";
import type { Agents } from "got";
import type { ProxyAgent } from "proxy-agent";
import type { Endpoint } from "../config";
import type { ErrorDetails, Request } from "./api";
import type { RawResponse } from "./response";
import type { Attempt } from "./retry";

/** The largest accepted body, in bytes after decompression. */
const MAX_BODY_BYTES = 5 * 1024 * 1024;

/** No whole answer came. Only `unsent` and `untrusted` prove that the service has not seen the request. */
export class TransportError extends Error {
  constructor(
    readonly outcome: Exclude<Attempt["outcome"], number>,
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
  const sending = got(url, {
    method,
    headers: {
      accept: "application/json",
      "cache-control": "no-cache",
      "user-agent": "pulumi-tracking",
      ...transport.headers,
    },
    searchParams: { ...query },
    ...(form && { form: { ...form } }),
    ...(json && { json }),
    agent: await agents(method, transport),
    timeout: { request: transport.timeout },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
  });
  // From here on the request may have arrived, however the connection ends.
  let isOpen = false;
  void sending.on("request", (sent: ClientRequest) => {
    // Without a listener, Node ends the request without an event, and got waits for ever.
    sent.once("upgrade", (_, socket) => {
      socket.destroy();
      sent.emit("error", Object.assign(new Error(), { code: "101 Switching Protocols" }));
    });
    sent.once("socket", (socket: Socket) => {
      const opens = socket.connecting || Reflect.get(socket, "secureConnecting") === true;
      const open = () => {
        isOpen = true;
      };
      if (opens) socket.once(url.protocol === "https:" ? "secureConnect" : "connect", open);
      else if (!socket.destroyed) open();
    });
  });
  void sending.on("downloadProgress", ({ transferred }) => {
    if (transferred > MAX_BODY_BYTES) sending.cancel();
  });
  try {
    const { statusCode, headers, body } = await sending;
    return { status: statusCode, headers, text: body, via: await proxyFor(url, transport) };
  } catch (error) {
    throw transportError(error, transport.timeout, isOpen, await proxyFor(url, transport));
  }
}

const single = { http: new HttpAgent(), https: new HttpsAgent() };
const keepAlive = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
let proxies: Promise<ProxyAgent> | undefined;

/**
 * A POST has its own connection: if a server closed a reused connection at the same moment, nobody would know whether
 * the record was created.
 */
async function agents(method: Request["method"], { proxy }: Transport): Promise<Agents> {
  if (proxy === undefined) return method === "POST" ? single : keepAlive;
  proxies ??= import("proxy-agent").then(({ ProxyAgent }) => new ProxyAgent());
  const agent = await proxies;
  return { http: agent, https: agent } as unknown as Agents;
}

/** The proxy between, without its password: the service is not to blame for what fails there. */
async function proxyFor({ href }: URL, { proxy }: Transport): Promise<string | undefined> {
  const used = await (await proxies)?.getProxyForUrl(href, undefined as never);
  if (proxy === undefined || !used || !URL.canParse(used)) return undefined;
  return `through the proxy ${new URL(used).host} (${proxy})`;
}

const NO_TLS = "the server at this address does not speak https (CODE); is it an http:// address?";
const NO_TRUST = "its certificate is not trusted (CODE); name your own authority in NODE_EXTRA_CA_CERTS";
const NO_CLIENT_CERTIFICATE =
  "the server ended the TLS handshake (CODE): it probably asks for a client certificate, which can't be given; use an address that asks for none";
const OLD_TLS =
  'the server speaks only TLS 1.1 or older (CODE); until it is updated, set NODE_OPTIONS to "--tls-min-v1.0 --tls-cipher-list=DEFAULT@SECLEVEL=0"';
const NO_SCRIPT =
  "a proxy whose address is a script (pac+) needs the npm package pac-proxy-agent; name the proxy itself in HTTP_PROXY";
type UnsentReason = readonly [codes: RegExp, ...ConstructorParameters<typeof TransportError>];
/**
 * Why nothing was sent, by the error's code, or for EPROTO by what it says too: the first that fits. Only what is `unsent`
 * is worth a second attempt.
 */
const unsentReasons: readonly UnsentReason[] = [
  [/^ECONNREFUSED$/, "unsent", "nothing answers there (connection refused)"],
  [/^ENOTFOUND$/, "unsent", "no such host exists"],
  [/^(EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/, "unsent", "it can't be reached (CODE)"],
  [/^ERR_INVALID_CHAR$/, "untrusted", "the API key has a character that can't be sent", "key"],
  [/^(ERR_)?MODULE_NOT_FOUND$/, "untrusted", NO_SCRIPT, "proxy"],
  [/^ERR_INVALID_URL$/, "untrusted", "HTTP_PROXY or HTTPS_PROXY is not an address", "proxy"],
  [/CERTIFICATE_REQUIRED|handshake failure/, "untrusted", NO_CLIENT_CERTIFICATE],
  [/protocol version|UNSUPPORTED_PROTOCOL/, "untrusted", OLD_TLS],
  // The other side does not begin with a TLS handshake: perhaps it speaks plain HTTP.
  [/^EPROTO|WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG/, "untrusted", NO_TLS],
  [/ALTNAME_INVALID|HOSTNAME_MISMATCH/, "untrusted", "its certificate is for another host (CODE)"],
  [/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/, "untrusted", NO_TRUST],
];

function transportError(error: unknown, timeout: number, isOpen: boolean, via?: string): TransportError {
  if (via !== undefined) {
    const { outcome, message, likelyCause } = transportError(error, timeout, isOpen);
    return new TransportError(
      outcome,
      `${via}: ${message}`,
      likelyCause === "baseUrl" ? "proxy" : likelyCause,
    );
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ERR_CANCELED")
    return new TransportError("too-large", `the answer is larger than ${MAX_BODY_BYTES / 2 ** 20} MiB`);
  // A server may refuse a connection after its handshake, but before any request.
  const isRefused = !isOpen || code.endsWith("CERTIFICATE_REQUIRED");
  const cause = code === "EPROTO" ? `${code} ${(error as Error).message}` : code;
  const reason = isRefused ? unsentReasons.find(([codes]) => codes.test(cause)) : undefined;
  if (reason) {
    const [, outcome, what, likelyCause = "baseUrl"] = reason;
    return new TransportError(outcome, what.replace("CODE", code), likelyCause);
  }
  if (code === "ETIMEDOUT") return new TransportError("lost", `no answer within ${timeout / 1000} s`);
  return new TransportError("lost", `the connection broke (${code || "no whole answer"})`);
}
