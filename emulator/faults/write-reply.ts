import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline } from "node:stream/promises";
import { type ServiceResponse, serializeBody } from "../service/response";
import type { Fault, ReplyInstead } from "./fault";

/** What a reply is made from. */
export interface Exchange {
  response: ServerResponse;
  socket: Socket;
  answer: ServiceResponse;
  fault: Fault;
  /** Aborted when the emulator closes. */
  signal: AbortSignal;
}

/** Sends a reply and resolves when it is sent, with the status that went out, or null when none did. */
export type Send = (exchange: Exchange) => Promise<number | null>;

/** Writes status, headers and the body's length; the body is still to come. */
export function writeHead(response: ServerResponse, answer: ServiceResponse): { bytes: Buffer } {
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

export async function sendWhole({ response, answer }: Exchange): Promise<number | null> {
  if (response.destroyed) return null;
  const { bytes } = writeHead(response, answer);
  await new Promise<void>((resolve) => {
    response.once("close", resolve);
    response.end(bytes, resolve);
  });
  return answer.status;
}

export function sendInstead(
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

export function reset({ socket }: Exchange): Promise<null> {
  socket.resetAndDestroy();
  return Promise.resolve(null);
}

/** Ends a connection, and resolves when it is closed. */
export async function cut(socket: Socket, act: () => void, status: number | null): Promise<number | null> {
  if (socket.destroyed) return null;
  const closed = once(socket, "close");
  act();
  await closed;
  return status;
}

/** Sends the same piece again and again, as fast and as long as the client reads it. */
export async function flood(
  { response }: Exchange,
  encoding: string,
  pieces: Iterable<Buffer>,
): Promise<number> {
  response.writeHead(200, { "Content-Type": "application/json", "Content-Encoding": encoding });
  await pipeline(pieces, response).catch(() => response.destroy());
  return 200;
}

export function* repeated(start: Buffer, piece: Buffer, times = Number.POSITIVE_INFINITY): Iterable<Buffer> {
  yield start;
  for (let sent = 0; sent < times; sent += 1) yield piece;
}
