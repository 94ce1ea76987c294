import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Json } from "./response";

/** A request without its body. */
export interface RequestHead {
  method: string;
  /** As sent, doubled and trailing slashes included. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** The scheme, host and port that the client used. */
  origin: string;
}

/** A whole request. With a body of another type, `form` and `json` are empty. */
export interface ServiceRequest extends RequestHead {
  /** Fields of an `application/x-www-form-urlencoded` body. */
  form: URLSearchParams;
  /** Members of an `application/json` body that is an object. */
  json: Record<string, Json>;
}

/** Reads a request's head. */
export function readHead(message: IncomingMessage): RequestHead {
  const target = message.url ?? "/";
  const cut = target.indexOf("?");
  return {
    method: message.method ?? "GET",
    path: cut < 0 ? target : target.slice(0, cut),
    query: new URLSearchParams(cut < 0 ? "" : target.slice(cut + 1)),
    headers: message.headers,
    origin: `http://${message.headers.host ?? "127.0.0.1"}`,
  };
}

function parseObject(text: string): Record<string, Json> {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, Json>) : {};
  } catch {
    return {};
  }
}

/** Joins head and body. */
export function withBody(head: RequestHead, text: string): ServiceRequest {
  const type = (head.headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  return {
    ...head,
    form: new URLSearchParams(type === "application/x-www-form-urlencoded" ? text : ""),
    json: type === "application/json" ? parseObject(text) : {},
  };
}

/** The key that a request carries as a bearer token. */
export function bearerToken({ headers }: RequestHead): string | undefined {
  return /^Bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? "")?.[1];
}

/** The last value sent for a field, wherever it was sent: form, JSON, then query. */
export function sentField(request: ServiceRequest, name: string): Json | undefined {
  return request.form.getAll(name).at(-1) ?? request.json[name] ?? request.query.getAll(name).at(-1);
}
