import { createServer, type ServerResponse } from "node:http";
import { listening } from "../listening";

/** What answers at an address that is not the service's, and the words that every message has of it. */
export const wrongAddresses: readonly {
  says: string;
  secure?: boolean;
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  words: string;
}[] = [
  {
    says: "https:// to an http port",
    secure: true,
    words: "the server at this address does not speak https (EPROTO); is it an http:// address?",
  },
  { says: "another object", body: '{"hello":"world"}', words: "the service answered without a " },
  { says: "a text in JSON", body: '"ok"', words: "the service answered without a " },
  {
    says: "a web page",
    headers: { "content-type": "text/html" },
    body: "<html>",
    words: "the service answered 200 with text/html instead of JSON; is the base URL right?",
  },
  {
    says: "a redirect to a log-in page",
    status: 302,
    headers: { location: "/login" },
    words: "the service redirects (302 to /login), so the key or the base URL is probably wrong",
  },
  {
    says: "a redirect to another address",
    status: 301,
    headers: { location: "https://stats.example.com/" },
    words: "the service redirects (301 to https://stats.example.com/), so the base URL is not exactly",
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
