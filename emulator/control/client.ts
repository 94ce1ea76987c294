import { Agent } from "node:http";
import type { Fault } from "../faults/fault";
import type { Market } from "../market/records";
import type { ApiKey } from "../service/keys";
import type { Service } from "../service/request";
import type { Settings } from "../service/state";
import type { SettingsChange } from "./input-shapes";
import type { LogEntry, Wait } from "./log-entry";
import { postJson } from "./post-json";
import type { PixelSeed, Seed, StoredPixel, StoredWebsite, WebsiteSeed } from "./seed";

/**
 * Drives a running emulator, in this process or another, over its control addresses. These need no key, and
 * are neither rate-limited nor logged. An invalid call rejects with the reason.
 */
export interface EmulatorClient {
  /** Address of the emulator, without a trailing slash: the base URL of all three interfaces. */
  readonly url: string;

  /** Every website with every column, in ascending order of id. */
  websites(): Promise<StoredWebsite[]>;
  /** Every pixel, in ascending order of id. */
  pixels(): Promise<StoredPixel[]>;
  /** Account, items and purchases. */
  market(): Promise<Market>;
  /** Replaces what the seed names. */
  seed(seed: Seed): Promise<void>;
  /** Inserts a record, unchecked; it replaces one with the same id. */
  insertWebsite(website: WebsiteSeed): Promise<StoredWebsite>;
  /** Inserts a record, unchecked; it replaces one with the same id. */
  insertPixel(pixel: PixelSeed): Promise<StoredPixel>;
  /** Changes a record like an edit in the web interface: unchecked, and in some dialects with other line ends. */
  editWebsite(id: number, columns: Partial<StoredWebsite>): Promise<StoredWebsite>;
  /** Changes a record like an edit in the web interface: unchecked. */
  editPixel(id: number, columns: Partial<StoredPixel>): Promise<StoredPixel>;
  /** Removes a record; false when there was none. */
  deleteWebsite(id: number): Promise<boolean>;
  /** Removes a record; false when there was none. */
  deletePixel(id: number): Promise<boolean>;
  /** Replaces the domains of other tenants. */
  setOtherTenant(domains: string[]): Promise<void>;

  /** Every request to the service since the log was cleared, without keys and passwords. */
  requests(): Promise<LogEntry[]>;
  /** Empties the log. Indexes continue where they were. */
  clearRequests(): Promise<void>;
  /** The index that the next request will have: the `since` of a later wait. */
  mark(): Promise<number>;
  /** Resolves with the matching requests once enough arrived; rejects when time is up, and names what arrived. */
  waitFor(wait: Wait): Promise<LogEntry[]>;

  /** Adds a fault and resolves with its id. */
  addFault(fault: Fault): Promise<number>;
  /** Removes all faults. Late operations stay pending. */
  clearFaults(): Promise<void>;
  /** Performs the pending late operations, and resolves with their number. */
  releaseLate(): Promise<number>;
  /** Lists all records that `lagMs` or `hold` keeps out of lists. */
  releaseLists(): Promise<void>;

  /** The keys that are valid now. */
  keys(): Promise<ApiKey[]>;
  /** Makes a key valid for these services; for all by default. */
  addKey(key: string, services?: Service[]): Promise<void>;
  /** Makes a key invalid; false when it was not valid. */
  revokeKey(key: string): Promise<boolean>;

  /** The settings as they are now. */
  settings(): Promise<Settings>;
  /** Changes the settings that are named, and resolves with all. */
  configure(change: SettingsChange): Promise<Settings>;
}

/** How much longer than the wait a long poll may take, in milliseconds. */
const grace = 5_000;

/** A client for the emulator at this address. */
export function connectEmulator(url: string): EmulatorClient {
  const base = url.replace(/\/+$/, "");
  // Connections are reused, and an idle one does not keep its process running.
  const agent = new Agent({ keepAlive: true });
  const call = <T>(command: string, input: unknown = null, timeoutMs = 10_000) =>
    postJson<T>(agent, `${base}/_emulator/${command}`, input, timeoutMs + grace);
  return {
    url: base,
    websites: () => call("websites"),
    pixels: () => call("pixels"),
    market: () => call("market"),
    seed: (seed) => call("seed", seed),
    insertWebsite: (website) => call("insertWebsite", website),
    insertPixel: (pixel) => call("insertPixel", pixel),
    editWebsite: (id, columns) => call("editWebsite", { id, columns }),
    editPixel: (id, columns) => call("editPixel", { id, columns }),
    deleteWebsite: (id) => call("deleteWebsite", { id }),
    deletePixel: (id) => call("deletePixel", { id }),
    setOtherTenant: (domains) => call("setOtherTenant", domains),
    requests: () => call("requests"),
    clearRequests: () => call("clearRequests"),
    mark: () => call("mark"),
    waitFor: async (wait) => {
      const found = await call<LogEntry[]>("waitFor", wait, wait.timeoutMs);
      if (found.length < (wait.count ?? 1))
        throw new Error(`Timed out waiting for ${describeWait(wait)}: ${describeFound(found)}`);
      return found;
    },
    addFault: (fault) => call("addFault", fault),
    clearFaults: () => call("clearFaults"),
    releaseLate: () => call("releaseLate"),
    releaseLists: () => call("releaseLists"),
    keys: () => call("keys"),
    addKey: (key, services) => call("addKey", { key, services }),
    revokeKey: (key) => call("revokeKey", { key }),
    settings: () => call("settings"),
    configure: (change) => call("configure", change),
  };
}

function describeWait({
  method = "any",
  path = "request",
  status,
  count = 1,
  phase = "received",
}: Wait): string {
  return `${count} × ${method} ${path}${status === undefined ? "" : ` with status ${status}`} to be ${phase}`;
}

function describeFound(found: readonly LogEntry[]): string {
  return found.length === 0 ? "none arrived" : `only ${found.length} arrived`;
}
