import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { MarketDialect } from "./market/dialects";
import { applySeed, type Seed } from "./seed";
import type { Dialect } from "./service/dialects";
import type { RateLimit } from "./service/rate-limit";
import { readHead, withBody } from "./service/request";
import { writeHead } from "./service/response";
import { respond } from "./service/router";
import { createState, type ServiceState } from "./service/state";

/** How an emulator starts. */
export interface EmulatorOptions {
  /** 0, the default, takes any free port. */
  port?: number;
  /** API key accepted by every service; `local-key` by default. */
  apiKey?: string;
  /** Dialect of websites and pixels; `reference` by default. */
  dialect?: Dialect;
  /** Dialect of the marketplace; `spec` by default. */
  marketDialect?: MarketDialect;
  /** Initial records; no websites, no pixels and a small marketplace by default. */
  seed?: Seed;
  /** None by default; most real servers allow 60 requests per 60 seconds. */
  rateLimit?: RateLimit | false;
  /** None by default; a front server sends whoever lacks one to its log-in page. */
  headers?: Readonly<Record<string, string>>;
}

/** A server that listens. */
export interface Listener {
  /** Base URL of all three interfaces, such as `http://127.0.0.1:49152`. */
  url: string;
  /** Ends every connection, and resolves when the port is free again. */
  close(): Promise<void>;
}

/** A running emulator. */
export interface Emulator extends Listener {
  /** A stack's config that leads to it, for `stack.setAllConfig`: every address and key, so that none comes from elsewhere. */
  config: Record<string, { value: string; secret?: boolean }>;
}

/** The config of a stack that uses this service for everything. */
function configFor(url: string, { apiKey = "local-key" }: EmulatorOptions): Emulator["config"] {
  const services = ["analytics", "data", "market"].map((name) => ({
    [`tracking:${name}BaseUrl`]: { value: url },
    [`tracking:${name}ApiKey`]: { value: apiKey, secret: true },
  }));
  return Object.assign({}, ...services);
}

/** The service's state as the options describe it. */
export function stateFor(options: EmulatorOptions): ServiceState {
  const { apiKey = "local-key", dialect = "reference", marketDialect = "spec", seed = {} } = options;
  const { rateLimit = false, headers = {} } = options;
  const state = createState({ dialect, marketDialect, rateLimit, headers });
  state.keys.add(apiKey);
  applySeed(state, seed);
  return state;
}

/** Listens at 127.0.0.1. A request that can't be handled ends its connection. */
export async function listen(
  port = 0,
  handle: (message: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Listener> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (message, response) => {
    handle(message, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Starts the service on this machine, at 127.0.0.1 only. Rejects with the system's error when the port is taken
 * (`EADDRINUSE`) or may not be used (`EACCES`).
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const state = stateFor(options);
  const listening = await listen(options.port, async (message, response) => {
    const request = withBody(readHead(message), await text(message));
    const { response: answer, change } = respond(state, request);
    change?.();
    response.end(writeHead(response, answer));
  });
  return { ...listening, config: configFor(listening.url, options) };
}
