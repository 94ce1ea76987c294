import type { Market } from "../../emulator/market/records";
import {
  asEntered,
  type PixelSeed,
  type Seed,
  type StoredPixel,
  type StoredWebsite,
  type WebsiteSeed,
} from "../../emulator/seed";
import type { Kind } from "../../emulator/service/collections";
import { RateLimiter } from "../../emulator/service/rate-limit";
import type { Settings } from "../../emulator/service/state";
import type { Columns, Row } from "../../emulator/service/store";
import type { Context } from "./exchange";
import type { Fault } from "./fault";
import type { LogEntry, Wait } from "./request-log";
import { serviceOf, type Ways } from "./ways";

/** How a service behaves; see {@link EmulatorClient.configure}. */
export interface SettingsChange extends Partial<Settings> {
  /** Repeats the key that was sent in every answer of 300 and above. */
  echoKey?: boolean;
}

/** What a test sees of a service, and does to it, beside the interface. */
export type EmulatorClient = ReturnType<typeof controlOf>;

/** Controls a running service. */
export function controlOf(context: Context, url: string) {
  const { state, requestLog, faults, late, closing } = context;
  const { website, pixel } = state.tables;
  const edit = (kind: Kind, id: number, columns: Columns): Row => {
    const row = state.tables[kind].update(id, asEntered(state, columns));
    if (row === undefined) throw new Error(`No ${kind} ${id} exists.`);
    return row;
  };
  return {
    /** Without a trailing slash: the base URL of all three interfaces. */
    url,

    /** Every website with every column, in ascending order of id. */
    websites: () => structuredClone(website.all()) as (StoredWebsite & Row)[],
    /** Every pixel, in ascending order of id. */
    pixels: () => structuredClone(pixel.all()) as (StoredPixel & Row)[],
    market: (): Market => state.market,
    /** Replaces what the seed names. */
    seed: ({ websites, pixels, ...market }: Seed): void => {
      if (websites) website.replace(websites);
      if (pixels) pixel.replace(pixels);
      Object.assign(state.market, market);
    },
    /** Inserts a record, unchecked; it replaces one with the same id. */
    insertWebsite: (columns: WebsiteSeed) => website.insert(columns) as StoredWebsite & Row,
    insertPixel: (columns: PixelSeed) => pixel.insert(columns) as StoredPixel & Row,
    /** Changes a record like an edit in the web interface: unchecked, and in some dialects with other line ends. */
    editWebsite: (id: number, columns: Partial<StoredWebsite>) => edit("website", id, columns),
    editPixel: (id: number, columns: Partial<StoredPixel>) => edit("pixel", id, columns),
    /** Removes a record; false when there was none. */
    deleteWebsite: (id: number) => website.remove(id),
    deletePixel: (id: number) => pixel.remove(id),
    /** Replaces the domains of other tenants. */
    setOtherTenant: (domains: readonly string[]): void => {
      state.otherTenant = new Set(domains);
    },

    /** Every request since the log was cleared. */
    requests: (): LogEntry[] => structuredClone(requestLog.entries),
    clearRequests: (): void => {
      requestLog.entries = [];
    },
    /** The index that the next request will have: the `since` of a later wait. */
    mark: () => requestLog.nextIndex,
    /** Resolves with the matching requests once enough arrived; rejects when time is up. */
    waitFor: (wait: Wait) => requestLog.waitFor(wait, closing),

    addFault: (fault: Fault) => faults.add(fault),
    /** Removes all faults. Late operations stay pending. */
    clearFaults: () => faults.clear(),
    /** Performs the pending late operations, and returns their number. */
    releaseLate: () => {
      const released = late.splice(0);
      for (const perform of released) perform();
      return released.length;
    },

    /** Gives the service these ways from now on, and no other. */
    become: (ways: Ways): void => {
      context.respond = serviceOf(ways);
    },

    addKey: (key: string): void => void state.keys.add(key),
    /** Makes a key invalid; false when it was not valid. */
    revokeKey: (key: string) => state.keys.delete(key),

    /** Changes the settings that are named. A new limit begins a new window. */
    configure: ({ echoKey, ...change }: SettingsChange): void => {
      Object.assign(state.settings, change);
      if (echoKey !== undefined) context.echoesKey = echoKey;
      if (change.rateLimit !== undefined) state.rateLimiter = new RateLimiter();
    },
  };
}
