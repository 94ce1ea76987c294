import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { htmlPage, type ServiceResponse, serializeBody } from "../service/response";
import type { Fault, ReplyInstead, ReplyName } from "./faults";

/** All that a reply is made of. */
export interface Exchange {
  response: ServerResponse;
  socket: Socket;
  answer: ServiceResponse;
  fault: Fault;
  /** Given when the emulator closes. */
  signal: AbortSignal;
}

/** Sends a reply and resolves when it is through, with the status that went out, or null when none did. */
type Send = (exchange: Exchange) => Promise<number | null>;

interface Reply {
  /** Whether the service's own answer goes out, whole or in part. */
  own: boolean;
  /** Nothing goes out, and the connection stays. */
  silent?: true;
  send: Send;
}

const replies: Record<ReplyName, Reply> = {
  ok: { own: true, send: sendWhole },
  close: {
    own: true,
    send: async (exchange) => {
      const status = await sendWhole(exchange);
      exchange.socket.end();
      return status;
    },
  },
  truncate: {
    own: true,
    send: ({ response, socket, answer }) => {
      const { bytes } = writeHead(response, answer);
      return cut(
        socket,
        () => response.write(bytes.subarray(0, bytes.length / 2), () => socket.destroy()),
        answer.status,
      );
    },
  },
  "half-headers": {
    own: true,
    send: ({ socket, answer }) =>
      cut(
        socket,
        () => socket.write(`HTTP/1.1 ${answer.status} \r\nContent-Ty`, () => socket.destroy()),
        answer.status,
      ),
  },
  trickle: {
    own: true,
    send: async ({ response, answer, fault, signal }) => {
      const { bytes } = writeHead(response, answer);
      response.flushHeaders();
      for (const byte of bytes) {
        await pause(fault.byteMs ?? 1000, undefined, { signal });
        if (response.destroyed) break;
        response.write(Buffer.of(byte));
      }
      response.end();
      return answer.status;
    },
  },
  reset: { own: true, send: reset },
  "reset-unread": { own: false, send: reset },
  "hang-up": {
    own: true,
    send: ({ socket }) => cut(socket, () => socket.end(), null),
  },
  stall: { own: true, silent: true, send: () => Promise.resolve(null) },
  html: {
    own: false,
    send: (exchange) => {
      const status = exchange.fault.status ?? 200;
      return sendWhole({
        ...exchange,
        answer: { status, body: htmlPage(status < 400 ? "Log in" : `Error ${status}`) },
      });
    },
  },
  endless: { own: false, send: (exchange) => flood(exchange, "identity", repeated(opening, filler)) },
  "gzip-bomb": {
    own: false,
    send: (exchange) => {
      const piece = gzipSync(Buffer.alloc(mebibyte, filler));
      return flood(exchange, "gzip", repeated(gzipSync(opening), piece, 1024));
    },
  },
};

const opening = Buffer.from('{"data":[');
const mebibyte = 1024 * 1024;
const filler = Buffer.from('{"id":0},'.repeat(1024));

/** Whether what goes out under this fault is the service's own answer, whole or in part. */
export function isOwn({ reply = "ok" }: Fault): boolean {
  return typeof reply === "string" && replies[reply].own;
}

/** Whether anything happens to the connection under this fault. */
export function isAnswered({ reply = "ok" }: Fault): boolean {
  return typeof reply !== "string" || !replies[reply].silent;
}

/** Sends what the fault asks for. */
export function send(exchange: Exchange): Promise<number | null> {
  const { reply = "ok" } = exchange.fault;
  return typeof reply === "string" ? replies[reply].send(exchange) : sendInstead(exchange, reply);
}

/** Writes status, headers and the body's length; the body is still to come. */
function writeHead(response: ServerResponse, answer: ServiceResponse): { bytes: Buffer } {
  const { type, bytes } = serializeBody(answer);
  const lower = Object.entries(answer.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
  const length = answer.status === 204 ? {} : { "content-length": String(bytes.length) };
  response.writeHead(answer.status, {
    ...(type && { "content-type": type }),
    ...length,
    ...Object.fromEntries(lower),
  });
  return { bytes };
}

async function sendWhole({ response, answer }: Exchange): Promise<number | null> {
  if (response.destroyed) return null;
  const { bytes } = writeHead(response, answer);
  await new Promise<void>((resolve) => {
    response.once("close", resolve);
    response.end(bytes, resolve);
  });
  return answer.status;
}

function sendInstead(
  exchange: Exchange,
  { status = 200, headers, body, raw }: ReplyInstead,
): Promise<number | null> {
  const { socket } = exchange;
  if (raw !== undefined) return cut(socket, () => socket.end(raw), null);
  const isPlain = typeof body === "number" || typeof body === "boolean" || body === null;
  const answer: ServiceResponse = { status, headers: headers ?? {} };
  if (isPlain) return sendWhole({ ...exchange, answer: asJson(answer, JSON.stringify(body)) });
  return sendWhole({ ...exchange, answer: body === undefined ? answer : { ...answer, body } });
}

function asJson(answer: ServiceResponse, body: string): ServiceResponse {
  return { ...answer, headers: { "content-type": "application/json", ...answer.headers }, body };
}

function reset({ socket }: Exchange): Promise<null> {
  socket.resetAndDestroy();
  return Promise.resolve(null);
}

/** Does what ends a connection, and resolves when it has ended. */
async function cut(socket: Socket, act: () => void, status: number | null): Promise<number | null> {
  if (socket.destroyed) return null;
  const closed = once(socket, "close");
  act();
  await closed;
  return status;
}

/** Sends the same piece again and again, as fast as the client takes it and for as long as it does. */
async function flood({ response }: Exchange, encoding: string, pieces: Iterable<Buffer>): Promise<number> {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": encoding });
  await pipeline(pieces, response).catch(() => response.destroy());
  return 200;
}

function* repeated(start: Buffer, piece: Buffer, times = Number.POSITIVE_INFINITY): Iterable<Buffer> {
  yield start;
  for (let sent = 0; sent < times; sent += 1) yield piece;
}
