import { setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { connectEmulator, type EmulatorClient } from "./control/client";
import { type ControlContext, commands } from "./control/commands";
import { RequestLog } from "./control/request-log";
import { applySeed, type Seed } from "./control/seed";
import { ShapeError } from "./control/shapes";
import { echoKey } from "./faults/echo";
import { type Fault, Faults } from "./faults/faults";
import { LateCommits } from "./faults/late-commits";
import { isAnswered, isOwn, send } from "./faults/replies";
import type { MarketDialect } from "./market/dialects";
import type { Dialect } from "./service/dialects";
import { bearerToken, parameterKey } from "./service/keys";
import type { RateLimit } from "./service/rate-limit";
import { type RequestHead, readHead, readText, withBody } from "./service/request";
import { respond } from "./service/router";
import { createState, noListFaults, type Settings } from "./service/state";

/** How an emulator starts. All of it but the port can be changed later through its client. */
export interface EmulatorOptions {
  /** 0, the default, takes any free port. */
  port?: number;
  /** The key that opens every service; `local-key` when left out. */
  apiKey?: string;
  /** How websites and pixels are spoken of; `reference` when left out. */
  dialect?: Dialect;
  /** How the marketplace is spoken of; `spec` when left out. */
  marketDialect?: MarketDialect;
  /** What is there from the start; no websites, no pixels and a small marketplace when left out. */
  seed?: Seed;
  /** 60 requests in 60 seconds when left out, as real servers have it; false for no limit. */
  rateLimit?: RateLimit | false;
  /** Milliseconds between the arrival of a request and its handling; 0 when left out. */
  latency?: number;
  /** Domains that belong to others on the same installation. */
  otherTenant?: string[];
}

/** A running emulator. */
export interface Emulator {
  /** Base URL of all three interfaces, such as `http://127.0.0.1:49152`. */
  url: string;
  /** Looks into it and steers it. */
  control: EmulatorClient;
  /** Ends every connection, and resolves when the port is free again. */
  close(): Promise<void>;
}

const controlPrefix = "/_emulator/";
const noFault: Fault = { match: {} };

/**
 * Starts the service on this machine, at 127.0.0.1 only. Rejects with the system's error when the port is taken
 * (`EADDRINUSE`) or may not be used (`EACCES`).
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { apiKey = "local-key", seed = {}, otherTenant = [], port = 0 } = options;
  const closing = new AbortController();
  setMaxListeners(0, closing.signal); // every request that is held back listens to it
  const controlled: ControlContext = {
    service: createState(settingsOf(options)),
    requestLog: new RequestLog(),
    faults: new Faults(),
    late: new LateCommits(),
    signal: closing.signal,
  };
  controlled.service.keys.add(apiKey);
  controlled.service.otherTenant = new Set(otherTenant);
  applySeed(controlled.service, seed);

  const server = createServer({ keepAliveTimeout: 60_000 }, (message, response) => {
    const head = readHead(message);
    const work = head.path.startsWith(controlPrefix) ? control : serve;
    work(controlled, head, message, response).catch((error: unknown) => handleError(response, error));
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
      controlled.late.drop();
      return new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

function settingsOf(options: EmulatorOptions): Settings {
  const { dialect = "reference", marketDialect = "spec", latency = 0 } = options;
  const { rateLimit = { requests: 60, seconds: 60 } } = options;
  return { dialect, marketDialect, latency, rateLimit, lists: { ...noListFaults }, echoKey: false };
}

/** One request to the service: read, struck by a fault or not, handled, performed and answered. */
async function serve(
  { service, requestLog, faults, late, signal }: ControlContext,
  head: RequestHead,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const unread = withBody(head, "");
  const early = faults.take(unread, true);
  const request = early ? unread : withBody(head, await readText(message));
  const struck = early ?? faults.take(request, false);
  const fault = struck?.fault ?? noFault;
  const verdict = service.keys.verdict(parameterKey(request) ?? bearerToken(request));
  const entry = requestLog.open(request, verdict, struck?.id ?? null);

  if (service.settings.latency > 0) await pause(service.settings.latency, undefined, { signal });
  const { response: own, change } = respond(service, request);
  const perform = () => {
    if (change === undefined) return;
    change();
    requestLog.note(entry, { committed: true });
  };
  const { commit = "normal" } = fault;
  if (commit === "before" || (commit === "normal" && isOwn(fault))) perform();
  if (commit === "late") late.keep(perform, fault.lateMs);
  if (fault.delay !== undefined) await pause(fault.delay, undefined, { signal });

  const spoken = service.settings.echoKey ? echoKey(own, request) : own;
  const { socket } = response;
  const status = socket && (await send({ response, socket, answer: spoken, fault, signal }));
  if (commit === "after") perform();
  requestLog.note(entry, { status, answered: isAnswered(fault) });
}

/** One command to the emulator itself. */
async function control(
  controlled: ControlContext,
  head: RequestHead,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const name = head.path.slice(controlPrefix.length);
  const command = Object.entries(commands).find(([known]) => known === name)?.[1];
  if (head.method !== "POST" || command === undefined) {
    response.writeHead(404).end(`there is no command POST ${head.path}`);
    return;
  }
  const result = await command(controlled, JSON.parse(await readText(message)));
  const body = JSON.stringify(result) as string | undefined;
  response.writeHead(200, { "Content-Type": "application/json" }).end(body);
}

/** A command that makes no sense is refused; a client that has gone, or an emulator that closes, needs no answer. */
function handleError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return;
  const reason = error instanceof Error ? error.message : String(error);
  const isTheirs = error instanceof ShapeError || error instanceof SyntaxError;
  response.writeHead(isTheirs ? 400 : 500, { "Content-Type": "text/plain" }).end(reason);
}
