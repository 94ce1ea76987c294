import { once } from "node:events";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { onTestFinished } from "vitest";

/** Lets a server listen on this machine for the rest of a test. Returns its port. */
export async function listening(server: Server & { closeAllConnections?(): void }): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Hands a request on to a service, and gives its answer. */
export async function forwarded(asked: IncomingMessage, url: string): Promise<IncomingMessage> {
  const { method, headers } = asked;
  const outgoing = request(url, { method, headers, agent: false });
  asked.pipe(outgoing);
  const [given] = (await once(outgoing, "response")) as [IncomingMessage];
  return given;
}

/** Answers with what was given by another. */
export function send(given: IncomingMessage, answer: ServerResponse): void {
  answer.writeHead(given.statusCode ?? 502, given.headers);
  given.pipe(answer);
}
