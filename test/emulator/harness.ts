import { onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "../../emulator";

/** An answer; `body` is parsed if it is JSON, else the text. */
export interface Response {
  status: number;
  headers: Headers;
  body: unknown;
}

/** A running emulator, and one way to speak to it. */
export interface TestService extends Emulator {
  /** Sends a request with the right key, asking for JSON; fields go as a form. Redirects are not followed. */
  ask(
    method: string,
    path: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Response>;
}

/** Starts an emulator for one test, without a rate limit, and closes it when the test is over. */
export async function startService(options: EmulatorOptions = {}): Promise<TestService> {
  const emulator = await startEmulator({ rateLimit: false, ...options });
  onTestFinished(() => emulator.close());
  return {
    ...emulator,
    ask: async (method, path, fields, headers) => {
      const answer = await fetch(`${emulator.url}${path}`, {
        method,
        redirect: "manual",
        headers: { Authorization: "Bearer local-key", Accept: "application/json", ...headers },
        ...(fields && { body: new URLSearchParams(fields) }),
      });
      const text = await answer.text();
      const isJson = answer.headers.get("content-type") === "application/json";
      return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
    },
  };
}

/** The path of the websites, and of the pixels. */
export const websites = "/api/v1/websites";
export const pixels = "/api/v1/pixels";
