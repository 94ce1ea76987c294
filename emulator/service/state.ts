import type { MarketDialect } from "../market/dialects";
import type { Market } from "../market/records";
import { sampleMarket } from "../market/samples";
import { type Collection, type Model, pixels, websites } from "./collections";
import type { Dialect } from "./dialects";
import { type RateLimit, RateLimiter } from "./rate-limit";
import { Table } from "./store";

/** How the service behaves. */
export interface Settings {
  /** Dialect of websites and pixels. */
  dialect: Dialect;
  /** Dialect of the marketplace. */
  marketDialect: MarketDialect;
  /** False turns the limit off. */
  rateLimit: RateLimit | false;
  /** Headers without which a front server answers instead. */
  headers: Readonly<Record<string, string>>;
}

/** The state of one running service. */
export interface ServiceState {
  settings: Settings;
  /** The keys that are valid now. */
  keys: Set<string>;
  rateLimiter: RateLimiter;
  tables: Record<Model, Table>;
  market: Market;
  /** Domains that belong to other tenants of the same installation. */
  otherTenant: Set<string>;
}

function tableFor({ fields }: Collection): Table {
  return new Table(Object.fromEntries(fields.map(({ name, blank = null }) => [name, blank])));
}

/** A new service without records or keys. */
export function createState(settings: Settings): ServiceState {
  return {
    settings,
    keys: new Set(),
    rateLimiter: new RateLimiter(),
    tables: { website: tableFor(websites), pixel: tableFor(pixels) },
    market: { ...sampleMarket },
    otherTenant: new Set(),
  };
}
