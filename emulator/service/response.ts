import type { ServerResponse as HttpResponse } from "node:http";

/** Any JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** The service's response. Text is an HTML page; without `body` the response is empty. */
export interface ServiceResponse {
  status: number;
  headers?: Record<string, string>;
  body?: JsonObject | Json[] | string;
}

/** A response, and the change to the store that it reports, if any. */
export interface Outcome {
  response: ServiceResponse;
  change?: () => void;
}

/** A page for a browser. */
export function htmlPage(title: string): string {
  return `<!DOCTYPE html>\n<html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
}

/** A redirect, with the small page that web frameworks send along. */
export function redirect(status: 301 | 302, location: string): ServiceResponse {
  return { status, headers: { Location: location }, body: htmlPage(`Redirecting to ${location}`) };
}

/** Writes status and headers, and returns the bytes of the body that is still to come. */
export function writeHead(response: HttpResponse, { status, headers = {}, body }: ServiceResponse): Buffer {
  const isPage = typeof body === "string";
  const bytes = Buffer.from(body === undefined ? "" : isPage ? body : JSON.stringify(body));
  const type = isPage ? "text/html; charset=UTF-8" : "application/json";
  const lowercase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  response.writeHead(status, {
    ...(body !== undefined && { "content-type": type }),
    ...(status !== 204 && { "content-length": String(bytes.length) }),
    ...Object.fromEntries(lowercase),
  });
  return bytes;
}
