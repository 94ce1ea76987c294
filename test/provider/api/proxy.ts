import { createServer } from "node:http";
import { connect } from "node:net";
import { forwarded, listening, send } from "../../listening";

/**
 * A forward proxy, as companies have them, and what it was asked for, one line a request. Only it knows where a name
 * leads: each to this machine.
 */
export async function startProxy(): Promise<{ url: string; asked: string[]; close: () => Promise<void> }> {
  const asked: string[] = [];
  const server = createServer(async (message, answer) => {
    asked.push(`${message.method} ${message.url}`);
    send(await forwarded(message, message.url ?? ""), answer);
  });
  // What is asked for with CONNECT is encrypted from end to end.
  server.on("connect", (message, socket) => {
    asked.push(`CONNECT ${message.url}`);
    const { port } = new URL(`tcp://${message.url}`);
    const far = connect(Number(port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      far.pipe(socket).pipe(far);
    });
    const end = () => {
      far.destroy();
      socket.destroy();
    };
    far.on("error", end);
    socket.on("error", end);
  });
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `http://127.0.0.1:${await listening(server)}`, asked, close };
}
