import { createServer, type ServerResponse } from "node:http";
import { listening } from "../../listening";

/** What answers at an address that is not the service's. */
export const wrongAddresses: readonly {
  says: string;
  secure?: boolean;
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}[] = [
  {
    says: "https:// to an http port",
    secure: true,
  },
  { says: "another object", body: '{"hello":"world"}' },
  { says: "a text in JSON", body: '"ok"' },
  {
    says: "a web page",
    headers: { "content-type": "text/html" },
    body: "<html>",
  },
  {
    says: "a redirect to a log-in page",
    status: 302,
    headers: { location: "/login" },
  },
  {
    says: "a redirect to another address",
    status: 301,
    headers: { location: "https://stats.example.com/" },
  },
];
export type WrongAddress = (typeof wrongAddresses)[number];

/** Begins to answer so, and gives the address. */
export async function answering({ secure = false, status = 200, headers, body = "" }: WrongAddress) {
  const answer = (response: ServerResponse) =>
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  const server = createServer((_, response) => void answer(response));
  return `${secure ? "https" : "http"}://127.0.0.1:${await listening(server)}`;
}
