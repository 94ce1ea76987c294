import { type ClientRequest, Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Socket } from "node:net";
import type { Agents } from "got";
import type { Endpoint } from "../config";
import type { Request } from "./api";
import type { RawResponse } from "./response";
import type { Attempt } from "./retry";

/** The largest accepted body, in bytes after decompression. */
const MAX_BODY_BYTES = 5 * 1024 * 1024;

/** No whole answer came. Only `unsent` and `untrusted` prove that the service has not seen the request. */
export class TransportError extends Error {
  constructor(
    readonly outcome: Exclude<Attempt["outcome"], number>,
    message: string,
  ) {
    super(message);
  }
}

/** Where and how one attempt is sent. */
export type Transport = Pick<Endpoint, "baseUrl" | "timeout" | "proxied"> & {
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
    headers: { accept: "application/json", "user-agent": "pulumi-tracking", ...transport.headers },
    searchParams: { ...query },
    ...(form && { form: { ...form } }),
    ...(json && { json }),
    agent: await agents(method, transport.proxied),
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
    return { status: statusCode, headers, text: body };
  } catch (error) {
    throw transportError(error, transport.timeout, isOpen);
  }
}

const single = { http: new HttpAgent(), https: new HttpsAgent() };
const keepAlive = { http: new HttpAgent({ keepAlive: true }), https: new HttpsAgent({ keepAlive: true }) };
let proxies: Promise<Agents> | undefined;

/**
 * A POST has its own connection: if a server closed a reused connection at the same moment, nobody would know whether
 * the record was created.
 */
async function agents(method: Request["method"], proxied: boolean): Promise<Agents> {
  if (proxied) {
    proxies ??= import("proxy-agent").then(({ ProxyAgent }) => {
      const agent = new ProxyAgent();
      return { http: agent, https: agent } as unknown as Agents;
    });
    return proxies;
  }
  return method === "POST" ? single : keepAlive;
}

const UNSENT = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"];
/** The other side does not begin with a TLS handshake: perhaps it speaks plain HTTP. */
const NO_TLS = /^EPROTO$|WRONG_VERSION_NUMBER|HTTP_REQUEST|PACKET_LENGTH_TOO_LONG/;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|HOSTNAME_MISMATCH/;

function transportError(error: unknown, timeout: number, isOpen: boolean): TransportError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ERR_CANCELED")
    return new TransportError("too-large", `the answer is larger than ${MAX_BODY_BYTES / 2 ** 20} MiB`);
  if (UNSENT.includes(code) && !isOpen)
    return new TransportError("unsent", unsentReasons[code] ?? `it can't be reached (${code})`);
  if (NO_TLS.test(code) && !isOpen)
    return new TransportError(
      "untrusted",
      `the server at this address does not speak https (${code}); is it an http:// address?`,
    );
  if (CERTIFICATE.test(code) && !isOpen)
    return new TransportError(
      "untrusted",
      `its certificate is not trusted (${code}); name your own authority in NODE_EXTRA_CA_CERTS`,
    );
  if (code === "ETIMEDOUT") return new TransportError("lost", `no answer within ${timeout / 1000} s`);
  return new TransportError("lost", `the connection broke (${code || "no whole answer"})`);
}

const unsentReasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing answers there (connection refused)",
  ENOTFOUND: "no such host exists",
};
