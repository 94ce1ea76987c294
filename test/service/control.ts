import { once } from "node:events";
import {
  applySeed,
  asEntered,
  type PixelSeed,
  type Seed,
  type StoredPixel,
  type StoredWebsite,
  type WebsiteSeed,
} from "../../emulator/seed";
import type { Model } from "../../emulator/service/collections";
import { RateLimiter } from "../../emulator/service/rate-limit";
import type { Settings } from "../../emulator/service/state";
import type { Columns, Row } from "../../emulator/service/store";
import type { Context, LogEntry } from "./exchange";
import type { Fault } from "./faults";
import type { Limiter } from "./limiters";
import { serviceOf, type Ways } from "./ways";

/** What a test sees of a service, and does to it, beside the interface. */
export type EmulatorClient = ReturnType<typeof controlOf>;

/** Controls a running service. */
export function controlOf(context: Context, url: string) {
  const { state, log, news, faults, late, closing } = context;
  const { website, pixel } = state.tables;
  const edit = (model: Model, id: number, columns: Columns): Row => {
    const row = state.tables[model].update(id, asEntered(state, columns));
    if (row === undefined) throw new Error(`No ${model} ${id} exists.`);
    return row;
  };
  return {
    /** Without a trailing slash: the base URL of all three interfaces. */
    url,
    /** The keys that are valid now. */
    keys: state.keys,
    /** Domains of other tenants of the same installation. */
    otherTenant: state.otherTenant,

    /** Every website with every column, in ascending order of id. */
    websites: () => structuredClone(website.all()) as (StoredWebsite & Row)[],
    /** Every pixel, in ascending order of id. */
    pixels: () => structuredClone(pixel.all()) as (StoredPixel & Row)[],
    /** Replaces what the seed names. */
    seed: (seed: Seed) => applySeed(state, seed),
    /** Inserts a record, unchecked; it replaces one with the same id. */
    insertWebsite: (columns: WebsiteSeed) => website.insert(columns) as StoredWebsite & Row,
    insertPixel: (columns: PixelSeed) => pixel.insert(columns) as StoredPixel & Row,
    /** Changes a record like an edit in the web interface: unchecked, and in some dialects with other line ends. */
    editWebsite: (id: number, columns: Partial<StoredWebsite>) => edit("website", id, columns),
    editPixel: (id: number, columns: Partial<StoredPixel>) => edit("pixel", id, columns),
    /** Removes a record; false when there was none. */
    deleteWebsite: (id: number) => website.remove(id),
    deletePixel: (id: number) => pixel.remove(id),

    /** Every request since the log was cleared. */
    requests: (): LogEntry[] => structuredClone(log),
    clearRequests: () => void log.splice(0),
    /** Waits until the log has so many of these requests, for as long as the test may take. */
    waitFor: async (isMeant: (entry: LogEntry) => boolean, count = 1): Promise<void> => {
      while (log.filter(isMeant).length < count) await once(news, "change", { signal: closing });
    },

    addFault: (fault: Fault) => faults.add(fault),
    /** Removes all faults. Late operations stay pending. */
    clearFaults: () => faults.clear(),
    /** Performs the pending late operations. */
    releaseLate: () => {
      for (const perform of late.splice(0)) perform();
    },

    /** Gives the service these ways from now on, and no other. */
    become: (ways: Ways): void => {
      context.respond = serviceOf(ways);
    },
    /** Puts a limiter in front of the service, so that each request that it takes is under way for so many milliseconds. */
    standBehind: (limiter: Limiter, takes: number): void => {
      Object.assign(context, { limiter, takes });
    },
    /** Changes the settings that are named, and begins a new window of the rate limit. */
    configure: (change: Partial<Settings>): void => {
      Object.assign(state.settings, change);
      state.rateLimiter = new RateLimiter();
    },
  };
}
