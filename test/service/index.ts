import { onTestFinished } from "vitest";
import { type Emulator, type EmulatorOptions, startEmulator } from "./server";

export type { Account, Dialect, Item, MarketDialect, PixelSeed, Purchase, WebsiteSeed } from "../../emulator";
export { dialectNames, marketDialectNames } from "../../emulator";
export type { Market } from "../../emulator/market/records";
export type { StoredPixel, StoredWebsite } from "../../emulator/seed";
export type { EmulatorClient } from "./control";
export type { Fault, FaultReply } from "./fault";
export { honest, type Said, silent } from "./lists";
export type { LogEntry } from "./request-log";
export type { Emulator, EmulatorOptions } from "./server";
export type { Ways } from "./ways";

/** An answer; `body` is parsed if it is JSON, else the text. */
export interface Response {
  status: number;
  headers: Headers;
  body: unknown;
}

/** A running service, and one way to speak to it. */
export interface TestService extends Emulator {
  /** Sends a request with the right key, asking for JSON; fields go as a form. Redirects are not followed. */
  ask(
    method: string,
    path: string,
    fields?: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Response>;
}

/**
 * Starts a service, without a limit on the pace unless one is named.
 *
 * @param atEnd when it is closed: at the end of the test, or with `afterAll` at that of the file
 */
export async function service(
  options: EmulatorOptions = {},
  atEnd: (close: () => Promise<void>) => unknown = onTestFinished,
): Promise<TestService> {
  const emulator = await startEmulator(options);
  atEnd(() => emulator.close());
  const key = options.apiKey ?? "local-key";
  return {
    ...emulator,
    ask: async (method, path, fields, headers) => {
      const answer = await fetch(`${emulator.url}${path}`, {
        method,
        redirect: "manual",
        headers: { Authorization: `Bearer ${key}`, Accept: "application/json", ...headers },
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
