import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { htmlPage } from "../service/response";
import type { Fault, ReplyName } from "./fault";
import {
  cut,
  type Exchange,
  flood,
  repeated,
  reset,
  type Send,
  sendInstead,
  sendWhole,
  writeHead,
} from "./write-reply";

interface Reply {
  /** It is the service's own answer, or a part of it. */
  isOwnAnswer: boolean;
  /** Nothing is sent, and the connection stays open. */
  sendsNothing?: true;
  send: Send;
}

const replies: Record<ReplyName, Reply> = {
  ok: { isOwnAnswer: true, send: sendWhole },
  close: {
    isOwnAnswer: true,
    send: async (exchange) => {
      const status = await sendWhole(exchange);
      exchange.socket.end();
      return status;
    },
  },
  truncate: {
    isOwnAnswer: true,
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
    isOwnAnswer: true,
    send: ({ socket, answer }) =>
      cut(
        socket,
        () => socket.write(`HTTP/1.1 ${answer.status} \r\nContent-Ty`, () => socket.destroy()),
        answer.status,
      ),
  },
  trickle: {
    isOwnAnswer: true,
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
  reset: { isOwnAnswer: true, send: reset },
  "reset-unread": { isOwnAnswer: false, send: reset },
  "hang-up": {
    isOwnAnswer: true,
    send: ({ socket }) => cut(socket, () => socket.end(), null),
  },
  stall: { isOwnAnswer: true, sendsNothing: true, send: () => Promise.resolve(null) },
  html: {
    isOwnAnswer: false,
    send: (exchange) => {
      const status = exchange.fault.status ?? 200;
      return sendWhole({
        ...exchange,
        answer: { status, body: htmlPage(status < 400 ? "Log in" : `Error ${status}`) },
      });
    },
  },
  endless: { isOwnAnswer: false, send: (exchange) => flood(exchange, "identity", repeated(opening, filler)) },
  "gzip-bomb": {
    isOwnAnswer: false,
    send: (exchange) => {
      const piece = gzipSync(Buffer.alloc(mebibyte, filler));
      return flood(exchange, "gzip", repeated(gzipSync(opening), piece, 1024));
    },
  },
};

const opening = Buffer.from('{"data":[');
const mebibyte = 1024 * 1024;
const filler = Buffer.from('{"id":0},'.repeat(1024));

/** Whether the reply is the service's own answer, or a part of it. */
export function isOwn({ reply = "ok" }: Fault): boolean {
  return typeof reply === "string" && replies[reply].isOwnAnswer;
}

/** Whether anything is sent, or the connection is closed. */
export function isAnswered({ reply = "ok" }: Fault): boolean {
  return typeof reply !== "string" || !replies[reply].sendsNothing;
}

/** Sends the fault's reply. */
export function send(exchange: Exchange): Promise<number | null> {
  const { reply = "ok" } = exchange.fault;
  return typeof reply === "string" ? replies[reply].send(exchange) : sendInstead(exchange, reply);
}
