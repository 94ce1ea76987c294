import { onTestFinished } from "vitest";
import type { EmulatorOptions } from "../../emulator";
import { startEmulator } from "./server";

export type {
  Account,
  Dialect,
  EmulatorOptions,
  Item,
  MarketDialect,
  PixelSeed,
  Purchase,
  WebsiteSeed,
} from "../../emulator";
export { dialectNames, marketDialectNames } from "../../emulator";
export type { Market } from "../../emulator/market/records";
export type { StoredPixel, StoredWebsite } from "../../emulator/seed";
export type { EmulatorClient } from "./control";
export type { LogEntry } from "./exchange";
export { type Fault, type FaultReply, page } from "./faults";
export { silent } from "./lists";
export type { Ways } from "./ways";

/** A running service, the settings of a stack that uses it, and one way to speak to it. */
export type TestService = Awaited<ReturnType<typeof service>>;

/**
 * Starts a service, without a limit on the pace unless one is named.
 *
 * @param atEnd when it is closed: at the end of the test, or with `afterAll` at that of the file
 */
export async function service(
  options: EmulatorOptions = {},
  atEnd: (close: () => Promise<void>) => unknown = onTestFinished,
) {
  const emulator = await startEmulator(options);
  atEnd(() => emulator.close());
  const { apiKey = "local-key" } = options;
  /** Sends a request with the right key, asking for JSON; fields go as a form. Redirects are not followed. */
  const ask = async (method: string, path: string, fields?: Record<string, string>, headers = {}) => {
    const answer = await fetch(`${emulator.url}${path}`, {
      method,
      redirect: "manual",
      headers: { Authorization: `Bearer ${apiKey}`, Accept: "application/json", ...headers },
      ...(fields && { body: new URLSearchParams(fields) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type") === "application/json";
    const body: unknown = isJson ? JSON.parse(text) : text;
    return { status: answer.status, headers: answer.headers, body };
  };
  const { url } = emulator;
  const settings = { apiKey, analyticsBaseUrl: url, dataBaseUrl: url, marketBaseUrl: url };
  /** The requests that it got, in lines: method and path. */
  const lines = () => emulator.control.requests().map(({ method, path }) => `${method} ${path}`);
  return { ...emulator, settings, ask, lines };
}

/** The path of the websites, and of the pixels. */
export const websites = "/api/v1/websites";
export const pixels = "/api/v1/pixels";
