import type { MarketDialect } from "../market/dialects";
import type { Market } from "../market/records";
import { sampleMarket } from "../market/samples";
import type { Kind } from "./collections";
import { pixels, websites } from "./collections";
import type { Dialect } from "./dialects";
import { Keys } from "./keys";
import { type RateLimit, RateLimiter } from "./rate-limit";
import { Table } from "./store";

/** How lists misbehave. All of it is off by default. */
export interface ListFaults {
  /** A record created through the interface stays out of lists for this long, in milliseconds. */
  lagMs: number;
  /** A record created through the interface stays out of lists until `releaseLists()`. */
  hold: boolean;
  /** Lists hold at most this many records on all pages together, and their paging data agrees with that. */
  abridged: number | false;
  /** Lists carry neither `links` nor `meta`; `page` still works. */
  withoutPaging: boolean;
  /** After each of the next list answers, this many times, someone else creates a record of the same kind. */
  insertWhilePaging: number;
}

/** What can be changed while the emulator runs. */
export interface Settings {
  /** Dialect of websites and pixels. */
  dialect: Dialect;
  /** Dialect of the marketplace. */
  marketDialect: MarketDialect;
  /** False turns the limit off. Setting it begins a new window. */
  rateLimit: RateLimit | false;
  /** How lists misbehave. */
  lists: ListFaults;
  /** Repeats the key that was sent in every answer of 300 and above: header, body and redirect address. */
  echoKey: boolean;
}

/** The state of one running service. */
export interface ServiceState {
  settings: Settings;
  keys: Keys;
  rateLimiter: RateLimiter;
  tables: Record<Kind, Table>;
  market: Market;
  /** Domains that belong to other tenants. */
  otherTenant: Set<string>;
}

/** Lists without faults. */
export const noListFaults: ListFaults = {
  lagMs: 0,
  hold: false,
  abridged: false,
  withoutPaging: false,
  insertWhilePaging: 0,
};

/** A new service without records or keys. */
export function createState(settings: Settings): ServiceState {
  return {
    settings,
    keys: new Keys(),
    rateLimiter: new RateLimiter(),
    tables: { website: new Table(websites.defaults), pixel: new Table(pixels.defaults) },
    market: { ...sampleMarket },
    otherTenant: new Set(),
  };
}
