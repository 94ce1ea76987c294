import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { htmlPage, type ServiceResponse, writeHead } from "../../emulator/service/response";
import type { Fault, ReplyInstead, ReplyName } from "./fault";

/** What a reply is made from. */
export interface Exchange {
  response: ServerResponse;
  socket: Socket;
  answer: ServiceResponse;
  fault: Fault;
  /** Aborted when the service closes. */
  closing: AbortSignal;
}

/** Sends a reply and resolves when it is sent, with the status that went out, or null when none did. */
type Send = (exchange: Exchange) => Promise<number | null>;

/** Replies that are not the service's own answer, or a part of it. */
const foreign: Partial<Record<ReplyName, Send>> = {
  "reset-unread": reset,
  html: (exchange) => {
    const status = exchange.fault.status ?? 200;
    const body = htmlPage(status < 400 ? "Log in" : `Error ${status}`);
    return sendWhole({ ...exchange, answer: { status, body } });
  },
  endless: (exchange) => flood(exchange, "identity", repeated(opening, filler)),
  "gzip-bomb": (exchange) => {
    const piece = gzipSync(Buffer.alloc(1024 * 1024, filler));
    return flood(exchange, "gzip", repeated(gzipSync(opening), piece, 1024));
  },
};

const own: Partial<Record<ReplyName, Send>> = {
  ok: sendWhole,
  close: async (exchange) => {
    const status = await sendWhole(exchange);
    exchange.socket.end();
    return status;
  },
  truncate: ({ response, socket, answer }) => {
    const bytes = writeHead(response, answer);
    const half = bytes.subarray(0, bytes.length / 2);
    return cut(socket, () => response.write(half, () => socket.destroy()), answer.status);
  },
  "half-headers": ({ socket, answer: { status } }) =>
    cut(socket, () => socket.write(`HTTP/1.1 ${status} \r\nContent-Ty`, () => socket.destroy()), status),
  trickle: async ({ response, answer, fault, closing }) => {
    const bytes = writeHead(response, answer);
    response.flushHeaders();
    for (const byte of bytes) {
      await pause(fault.byteMs ?? 1000, undefined, { signal: closing });
      if (response.destroyed) break;
      response.write(Buffer.of(byte));
    }
    response.end();
    return answer.status;
  },
  reset,
  "hang-up": ({ socket }) => cut(socket, () => socket.end(), null),
  stall: () => Promise.resolve(null),
};

const opening = Buffer.from('{"data":[');
const filler = Buffer.from('{"id":0},'.repeat(1024));

/** Whether the reply is the service's own answer, or a part of it. */
export function isOwn({ reply = "ok" }: Fault): boolean {
  return typeof reply === "string" && own[reply] !== undefined;
}

/** Sends the fault's reply. */
export function send(exchange: Exchange): Promise<number | null> {
  const { reply = "ok" } = exchange.fault;
  if (typeof reply !== "string") return sendInstead(exchange, reply);
  return (own[reply] ?? foreign[reply] ?? sendWhole)(exchange);
}

async function sendWhole({ response, answer }: Exchange): Promise<number | null> {
  if (response.destroyed) return null;
  const bytes = writeHead(response, answer);
  await new Promise<void>((resolve) => {
    response.once("close", resolve);
    response.end(bytes, resolve);
  });
  return answer.status;
}

function sendInstead(
  exchange: Exchange,
  { status = 200, headers = {}, body }: ReplyInstead,
): Promise<number | null> {
  const isScalar = body === null || typeof body === "number" || typeof body === "boolean";
  const type = isScalar ? { "content-type": "application/json" } : {};
  const answer: ServiceResponse = { status, headers: { ...type, ...headers } };
  if (body !== undefined) answer.body = isScalar ? JSON.stringify(body) : body;
  return sendWhole({ ...exchange, answer });
}

function reset({ socket }: Exchange): Promise<null> {
  socket.resetAndDestroy();
  return Promise.resolve(null);
}

/** Ends a connection, and resolves when it is closed. */
async function cut(socket: Socket, act: () => void, status: number | null): Promise<number | null> {
  if (socket.destroyed) return null;
  const closed = once(socket, "close");
  act();
  await closed;
  return status;
}

/** Sends pieces as fast and as long as the client reads them. */
async function flood({ response }: Exchange, encoding: string, pieces: Iterable<Buffer>): Promise<number> {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": encoding });
  await pipeline(pieces, response).catch(() => response.destroy());
  return 200;
}

function* repeated(start: Buffer, piece: Buffer, times = Number.POSITIVE_INFINITY): Iterable<Buffer> {
  yield start;
  for (let sent = 0; sent < times; sent += 1) yield piece;
}
