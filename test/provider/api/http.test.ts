import { spawn } from "node:child_process";
import dns from "node:dns";
import { once } from "node:events";
import {
  createServer,
  Agent as HttpAgent,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createSecureServer, Agent as HttpsAgent } from "node:https";
import { connect as connectTcp, createServer as createTcpServer, type Socket } from "node:net";
import { join } from "node:path";
import type { TlsOptions } from "node:tls";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Request } from "../../../provider/api/api";
import { send, TransportError } from "../../../provider/api/http";
import { listening } from "../../listening";
import { rejection } from "../../rejection";
import { certificate } from "./certificate";

/** What a server of this test received. */
interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage["headers"];
  body: string;
  /** Which connection it came over, counted from 0. */
  connection: number;
}

type Respond = (response: ServerResponse, received: Received) => void;

const ok: Respond = (response) => void response.end("{}");

/** A server that notes what it receives, and how many connections it came over. */
async function server(respond: Respond = ok, wrap: typeof createServer = createServer) {
  const received: Received[] = [];
  const sockets: unknown[] = [];
  const created: Server = wrap(async (message, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of message) chunks.push(chunk as Buffer);
    if (!sockets.includes(message.socket)) sockets.push(message.socket);
    const { method, url, headers } = message;
    const body = Buffer.concat(chunks).toString();
    const entry = { method, url, headers, body, connection: sockets.indexOf(message.socket) };
    received.push(entry);
    respond(response, entry);
  });
  const port = await listening(created);
  return { received, baseUrl: `http://127.0.0.1:${port}`, port };
}

/** A server in a process of its own that answers without end. */
async function flood(): Promise<string> {
  const child = spawn(process.execPath, [join(__dirname, "flood.mjs")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill());
  const [port] = await once(child.stdout, "data");
  return `http://127.0.0.1:${String(port).trim()}`;
}

const path = "/api/v1/websites";
const get: Request = { method: "GET", path };
type Transport = Parameters<typeof send>[1];
const at = (baseUrl: string, more: Partial<Transport> = {}): Transport => ({
  baseUrl,
  headers: {},
  timeout: 60_000,
  proxy: undefined,
  ...more,
});

describe("a request", () => {
  test("asks for JSON before all else, and names itself without a browser's name", async () => {
    const { received, baseUrl } = await server();
    await send(get, at(baseUrl, { headers: { authorization: "Bearer key" } }));
    expect(received[0]?.headers).toMatchObject({ accept: "application/json", authorization: "Bearer key" });
    // No cache of a proxy between may answer.
    expect(received[0]?.headers["cache-control"]).toBe("no-cache");
    expect(received[0]?.headers).not.toHaveProperty("content-type");
    expect(received[0]?.headers["user-agent"]).toMatch(/pulumi-tracking/);
    expect(received[0]?.headers["user-agent"]).not.toMatch(/Mozilla|Chrome|Firefox|Opera|Edge/i);
  });

  test("goes below the base URL's path, with its query", async () => {
    const { received, baseUrl } = await server();
    await send({ ...get, query: { search: "a&b=c %+", page: "2" } }, at(`${baseUrl}/stats/v2`));
    const url = new URL(received[0]?.url ?? "", baseUrl);
    expect(url.pathname).toBe(`/stats/v2${path}`);
    expect(Object.fromEntries(url.searchParams)).toEqual({ search: "a&b=c %+", page: "2" });
  });

  test("of POST is over some milliseconds after its answer: until then, nginx's limit_conn counts its connection", async () => {
    const events: string[] = [];
    const { baseUrl } = await server((response) => {
      setTimeout(() => events.push("later"), 4);
      response.end("{}");
    });
    await send({ ...get, method: "POST" }, at(baseUrl));
    expect(events).toEqual(["later"]);
  });

  test("of POST has a connection of its own, which no other shares", async () => {
    const { received, baseUrl } = await server();
    for (const method of ["GET", "POST", "PUT", "POST", "GET", "DELETE"] as const)
      await send({ method, path, ...(method.startsWith("P") && { form: { a: "1" } }) }, at(baseUrl));
    expect(received.map(({ connection }) => connection)).toEqual([0, 1, 0, 2, 0, 0]);
  });
});

describe("an answer", () => {
  test("of 5 MiB is read, and of one byte more is not", async () => {
    const limit = 5 * 1024 * 1024;
    const sent = async (size: number) => {
      const { baseUrl } = await server((response) => void response.end("x".repeat(size)));
      return send(get, at(baseUrl));
    };
    expect((await sent(limit)).text).toHaveLength(limit);
    const message = "the answer is larger than 5 MiB";
    expect(await rejection(sent(limit + 1))).toMatchObject({ outcome: "too-large", message });
  });

  test.each(["gzip", "plain"])("that never ends (%s) is given up, and costs at most 20 MB", async (path) => {
    const baseUrl = await flood();
    // What is loaded at the first request is not the answer's cost.
    await send({ method: "GET", path: "/small" }, at(baseUrl));
    const before = process.memoryUsage.rss();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss());
    }, 1);
    const error = await rejection(send({ method: "GET", path: `/${path}` }, at(baseUrl)));
    clearInterval(watch);
    expect(error).toMatchObject({ outcome: "too-large" });
    expect(Math.max(peak, process.memoryUsage.rss()) - before).toBeLessThan(20e6);
  });
});

describe("a body that is still being written", () => {
  const request: Request = { method: "POST", path, form: { note: "x".repeat(20e6) } };

  test.each<[string, string, object]>([
    ["an answer comes", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}", { status: 200, text: "{}" }],
    ["the connection ends", "", { outcome: "lost" }],
  ])("is given up without another error when %s", async (_when, answer, expected) => {
    const outside: unknown[] = [];
    const note = (error: unknown) => void outside.push(error);
    process.on("uncaughtExceptionMonitor", note).on("unhandledRejection", note);
    onTestFinished(() => void process.off("uncaughtExceptionMonitor", note).off("unhandledRejection", note));
    const sockets: Socket[] = [];
    // It reads no more, so that most of the body is not accepted before the answer is there.
    const early = createTcpServer((socket) => {
      sockets.push(socket.on("error", () => {}));
      socket.once("data", () => (answer === "" ? socket.resetAndDestroy() : socket.pause().write(answer)));
    });
    const sent = await send(request, at(`http://127.0.0.1:${await listening(early)}`)).catch(
      (error) => error,
    );
    expect(sent).toMatchObject(expected);
    const [socket, ...others] = sockets;
    if (socket?.closed === false) await once(socket.resume(), "close");
    expect([outside, others]).toEqual([[], []]);
  });
});

describe("no whole answer", () => {
  const lost = async (baseUrl: string, request: Request = get, more: Partial<Transport> = {}) => {
    const error = await rejection(send(request, at(baseUrl, more)));
    expect(error).toBeInstanceOf(TransportError);
    return error as TransportError;
  };

  /** What a connection that was never made fails with. */
  const failing = (code: string) => {
    const looked = vi.spyOn(dns, "lookup") as unknown as { mockImplementation(run: unknown): void };
    looked.mockImplementation((_host: string, _options: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error("failed"), { code })),
    );
    onTestFinished(() => void vi.restoreAllMocks());
    return lost("http://service.example");
  };
  const untrusted = "its certificate is not trusted (CODE); name your own authority in NODE_EXTRA_CA_CERTS";
  const noTls = "no TLS connection to it is possible (CODE); is it an http://";
  test.each([
    ["ENOTFOUND", "unsent", "no such host exists"],
    ["EAI_AGAIN", "unsent", "it can't be reached (CODE)"],
    ["EHOSTUNREACH", "unsent", "it can't be reached (CODE)"],
    ["ENETUNREACH", "unsent", "it can't be reached (CODE)"],
    ["CERT_HAS_EXPIRED", "untrusted", untrusted],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "untrusted", untrusted],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "untrusted", untrusted],
    ["ERR_TLS_HANDSHAKE", "untrusted", untrusted],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "untrusted", "its certificate is for another host (CODE)"],
    ["HOSTNAME_MISMATCH", "untrusted", "its certificate is for another host (CODE)"],
    ["EPROTO", "untrusted", noTls],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "untrusted", noTls],
    ["ETIMEDOUT", "unsent", "no connection to it opened within 60 s"],
    ["EPIPE", "lost", "the connection broke (CODE)"],
  ])("by %s is %s: %s", async (code, outcome, words) => {
    const message = expect.stringContaining(words.replace("CODE", code));
    expect(await failing(code)).toMatchObject({ outcome, message });
  });
  test("by a key that no header can carry means that nothing was sent", async () => {
    const error = await lost("http://127.0.0.1:1", get, { headers: { authorization: "Bearer kind€r" } });
    const message = "the API key has a character that can't be sent";
    expect(error).toMatchObject({ outcome: "untrusted", message, likelyCause: "key" });
  });
  test.each<[string, TlsOptions]>([
    ["a client certificate", { requestCert: true }],
    ["a client certificate in the handshake", { requestCert: true, maxVersion: "TLSv1.2" }],
    ["TLS 1.1", { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" }],
  ])("to a server that wants %s means that nothing was done", async (_, options) => {
    trustAll();
    const { port, received } = await server(ok, secure(options));
    for (const request of [get, post]) {
      const error = await lost(`https://localhost:${port}`, request);
      const message = expect.stringMatching(/^no TLS connection .* a client certificate, or for TLS 1.1\?$/);
      expect(error).toMatchObject({ outcome: "untrusted", message });
    }
    expect(received).toEqual([]);
  });

  test("by a connection that opens too late means that nothing was sent", async () => {
    trustAll();
    const sockets: Socket[] = [];
    // It never shakes hands.
    const mute = createTcpServer((socket) => void sockets.push(socket.on("error", () => {})));
    // By its address, since a busy machine may take longer than that to look a name up.
    const baseUrl = `https://127.0.0.1:${await listening(mute)}`;
    const error = await lost(baseUrl, post, { timeout: 100 });
    expect(error).toMatchObject({ outcome: "unsent", message: "no connection to it opened within 0.1 s" });
    await expect.poll(() => sockets).toHaveLength(1);
  });
  type Connecting = { createConnection: () => Socket };
  const post: Request = { method: "POST", path, form: { domain: "a.example" } };

  const trustAll = () => {
    const trusting = HttpsAgent.prototype as unknown as { createConnection: (options: object) => Socket };
    const { createConnection } = trusting;
    const made = vi.spyOn(trusting, "createConnection").mockImplementation(function (this: unknown, options) {
      return createConnection.call(this, { ...options, rejectUnauthorized: false });
    });
    onTestFinished(() => made.mockRestore());
  };
  const secure = (options: TlsOptions = {}) =>
    ((listener: RequestListener) =>
      createSecureServer({ ...certificate, ...options }, listener)) as unknown as typeof createServer;

  test.each([
    [60_000, 6000],
    [300, 250],
  ])("of a time-out of %i ms, each address of a name is tried for %i ms", async (timeout, attempt) => {
    const { baseUrl } = await server();
    const made = vi.spyOn(HttpAgent.prototype as unknown as Connecting, "createConnection");
    onTestFinished(() => made.mockRestore());
    for (const request of [get, post]) await send(request, at(baseUrl, { timeout }));
    expect(made).toHaveBeenCalledTimes(2);
    for (const call of made.mock.calls as unknown[][])
      expect(call[0]).toMatchObject({ autoSelectFamilyAttemptTimeout: attempt });
  });

  test("is not said where TLS breaks after the request has arrived", async () => {
    trustAll();
    const { port, received } = await server(ok, secure());
    // What the server answers becomes noise on its way.
    const middle = createTcpServer((near) => {
      const far = connectTcp(port, "127.0.0.1");
      near.pipe(far);
      far.on("data", (data) => near.write(received.length > 0 ? Buffer.alloc(data.length, 7) : data));
      for (const each of [near, far]) each.on("error", () => {});
    });
    const error = await lost(`https://localhost:${await listening(middle)}`, post);
    expect(error.message).toMatch(/ERR_SSL|EPROTO/);
    expect(received).toMatchObject([{ method: "POST" }]);
    expect(error.outcome).toBe("lost");
  });

  test("is not said where a connection that was open ends with a code that elsewhere means so", async () => {
    const sockets: Socket[] = [];
    const { createConnection } = HttpAgent.prototype as unknown as Connecting;
    const made = vi.spyOn(HttpAgent.prototype as unknown as Connecting, "createConnection");
    made.mockImplementation(function (this: unknown, ...args: []) {
      const socket = createConnection.apply(this, args);
      sockets.push(socket);
      return socket;
    });
    onTestFinished(() => made.mockRestore());
    const { received, baseUrl } = await server((response, { method }) => {
      if (method === "GET") response.end("{}");
      else sockets.at(-1)?.destroy(Object.assign(new Error("gone"), { code: "EHOSTUNREACH" }));
    });
    expect(await lost(baseUrl, post)).toMatchObject({ outcome: "lost" });
    expect(received).toHaveLength(1);
    // One that was kept is open from the beginning.
    await send(get, at(baseUrl));
    expect(await lost(baseUrl, { ...post, method: "PUT" })).toMatchObject({ outcome: "lost" });
    expect(received.map(({ connection }) => connection)).toEqual([0, 1, 1]);
  });
});
