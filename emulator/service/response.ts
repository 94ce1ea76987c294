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

/** The type and the bytes of an answer's body. */
export function serializeBody(answer: ServiceResponse): { type: string | undefined; bytes: Buffer } {
  if (answer.body === undefined) return { type: undefined, bytes: Buffer.alloc(0) };
  if (typeof answer.body === "string")
    return { type: "text/html; charset=UTF-8", bytes: Buffer.from(answer.body) };
  return { type: "application/json", bytes: Buffer.from(JSON.stringify(answer.body)) };
}
