import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { listening } from "../listening";

/** A proxy that can delay answers, so that they are outdated when they arrive. */
export interface Front {
  readonly url: string;
  /** Resolves when the service has sent the first delayed answer. */
  readonly held: Promise<void>;
  /** Releases all answers. */
  release(): void;
}

/** Forwards everything to the service, and holds answers to this method until they are released. */
export async function frontOf(service: string, method: "GET" | "POST" = "GET"): Promise<Front> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let tell = () => {};
  const held = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const server = createServer(async (asked, answer) => {
    const given = await passOn(service, asked);
    if (asked.method === method) {
      tell();
      await released;
    }
    send(given, answer);
  });
  const url = `http://127.0.0.1:${await listening(server)}`;
  return { url, held, release };
}

async function passOn(service: string, asked: IncomingMessage): Promise<IncomingMessage> {
  const { method, headers } = asked;
  const outgoing = request(`${service}${asked.url}`, { method, headers, agent: false });
  asked.pipe(outgoing);
  const [given] = (await once(outgoing, "response")) as [IncomingMessage];
  return given;
}

function send(given: IncomingMessage, answer: ServerResponse): void {
  answer.writeHead(given.statusCode ?? 502, given.headers);
  given.pipe(answer);
}
