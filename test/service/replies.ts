import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { createGzip } from "node:zlib";
import { type ServiceResponse, writeHead } from "../../emulator/service/response";
import type { ReplyName } from "./faults";

/** What a reply is made from. */
export interface Exchange {
  response: ServerResponse;
  socket: Socket;
  answer: ServiceResponse;
  /** Milliseconds, which `trickle` lets pass before each byte. */
  delay: number;
  /** Aborted when the service closes. */
  closing: AbortSignal;
}

/** Send an answer. Those that send all of it resolve when it is sent. */
export const replies: Record<ReplyName, (exchange: Exchange) => unknown> = {
  ok: whole,
  close: async (exchange) => {
    await whole(exchange);
    exchange.socket.end();
  },
  truncate: ({ response, socket, answer }) => {
    const bytes = writeHead(response, answer);
    response.write(bytes.subarray(0, bytes.length / 2), () => socket.destroy());
  },
  "half-headers": ({ socket, answer: { status } }) =>
    socket.write(`HTTP/1.1 ${status} \r\nContent-Ty`, () => socket.destroy()),
  trickle: async ({ response, answer, delay, closing }) => {
    const bytes = writeHead(response, answer);
    response.flushHeaders();
    for (const byte of bytes) {
      await pause(delay, undefined, { signal: closing });
      if (response.destroyed) break;
      response.write(Buffer.of(byte));
    }
    response.end();
  },
  reset: ({ socket }) => socket.resetAndDestroy(),
  "hang-up": ({ socket }) => socket.end(),
  stall: ({ closing }) => once(closing, "abort"),
  endless: (exchange) => flood(exchange, "identity"),
  "gzip-bomb": (exchange) => flood(exchange, "gzip"),
};

async function whole({ response, answer }: Exchange): Promise<void> {
  if (response.destroyed) return;
  response.end(writeHead(response, answer));
  await once(response, "close");
}

/** Sends JSON that never ends, as fast and as long as the client reads it. */
async function flood({ response }: Exchange, encoding: "identity" | "gzip"): Promise<void> {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": encoding });
  const packed = encoding === "gzip" ? createGzip() : new PassThrough();
  await pipeline(endless(), packed, response).catch(() => response.destroy());
}

function* endless(): Iterable<Buffer> {
  yield Buffer.from('{"data":[');
  for (const records = Buffer.from('{"id":0},'.repeat(1024)); ; ) yield records;
}
