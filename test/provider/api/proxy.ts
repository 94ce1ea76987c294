import { createServer, type IncomingMessage } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { connect } from "node:net";
import { listening } from "../../listening";
import { certificate } from "./certificate";

/**
 * A proxy, as companies have them, which only opens tunnels, what it was asked for, and for whom. Only it knows where
 * a name leads: each to this machine.
 */
export async function startProxy({ isSecure = false } = {}) {
  const asked: string[] = [];
  const users = new Set<string | undefined>();
  const note = ({ method, url, headers }: IncomingMessage) => {
    asked.push(`${method} ${url}`);
    users.add(headers["proxy-authorization"]?.replace(/^Basic (.*)/, (_, text) => atob(text)));
  };
  const server = isSecure ? createSecureServer(certificate) : createServer();
  const connections = new Set<object>();
  server.on("connection", (socket) => connections.add(socket));
  server.on("connect", (message, socket) => {
    note(message);
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
  const url = `${isSecure ? "https" : "http"}://localhost:${await listening(server)}`;
  return { url, asked, users, connections, close };
}
