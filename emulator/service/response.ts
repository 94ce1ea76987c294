/** Anything JSON can say. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A JSON object. */
export type JsonObject = { [key: string]: Json };

/** What the service has to say to one request. Text is an HTML page, no body at all is an empty answer. */
export interface ServiceResponse {
  status: number;
  headers?: Record<string, string>;
  body?: JsonObject | Json[] | string;
}

/** An answer, and the change to the store that makes it true. Without a change nothing is written. */
export interface Outcome {
  response: ServiceResponse;
  change?: () => void;
}

/** A page as a browser would be shown one. */
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
