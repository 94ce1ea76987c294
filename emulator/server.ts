import { setMaxListeners } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { connectEmulator, type EmulatorClient } from "./control/client";
import type { ControlContext } from "./control/commands";
import { controlPrefix, handleCommand } from "./control/handle-command";
import { RequestLog } from "./control/request-log";
import { applySeed, type Seed } from "./control/seed";
import { ShapeError } from "./control/shapes";
import { Faults } from "./faults/faults";
import { handleRequest } from "./handle-request";
import type { MarketDialect } from "./market/dialects";
import type { Dialect } from "./service/dialects";
import type { RateLimit } from "./service/rate-limit";
import { readHead } from "./service/request";
import { createState, noListFaults, type Settings } from "./service/state";

/** How an emulator starts. All of it but the port can be changed later through its client. */
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
  /** 60 requests per 60 seconds by default, as on real servers; false for no limit. */
  rateLimit?: RateLimit | false;
  /** Domains of other tenants of the same installation. */
  otherTenant?: string[];
}

/** A running emulator. */
export interface Emulator {
  /** Base URL of all three interfaces, such as `http://127.0.0.1:49152`. */
  url: string;
  /** Reads and controls it. */
  control: EmulatorClient;
  /** Ends every connection, and resolves when the port is free again. */
  close(): Promise<void>;
}

/**
 * Starts the service on this machine, at 127.0.0.1 only. Rejects with the system's error when the port is taken
 * (`EADDRINUSE`) or may not be used (`EACCES`).
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { apiKey = "local-key", seed = {}, otherTenant = [], port = 0 } = options;
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // every delayed request listens to it
  const context: ControlContext = {
    service: createState(settingsOf(options)),
    requestLog: new RequestLog(),
    faults: new Faults(),
    late: [],
    signal: closing.signal,
  };
  context.service.keys.add(apiKey);
  context.service.otherTenant = new Set(otherTenant);
  applySeed(context.service, seed);

  const server = createServer({ keepAliveTimeout: 60_000 }, (message, response) => {
    const head = readHead(message);
    const handle = head.path.startsWith(controlPrefix) ? handleCommand : handleRequest;
    handle(context, head, message, response).catch((error: unknown) => handleError(response, error));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    control: connectEmulator(url),
    close: () => {
      closing.abort();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function settingsOf(options: EmulatorOptions): Settings {
  const { dialect = "reference", marketDialect = "spec" } = options;
  const { rateLimit = { requests: 60, seconds: 60 } } = options;
  return { dialect, marketDialect, rateLimit, lists: { ...noListFaults }, echoKey: false };
}

/** Refuses an invalid command; a client that has gone, or a closing emulator, needs no answer. */
function handleError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return;
  const reason = error instanceof Error ? error.message : String(error);
  const isTheirs = error instanceof ShapeError || error instanceof SyntaxError;
  response.writeHead(isTheirs ? 400 : 500, { "Content-Type": "text/plain" }).end(reason);
}
