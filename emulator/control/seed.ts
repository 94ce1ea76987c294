import { z } from "zod";
import type { Account, Item, Purchase } from "../market/records";
import type { ServiceState } from "../service/state";
import { accountShape, itemShape, purchaseShape } from "./market-shapes";
import { count, read, record, ShapeError } from "./shapes";

/** A website as it is stored. */
export interface StoredWebsite {
  /** Number of the record, given by the store. */
  id: number;
  /** Host name, unique on the whole installation. */
  domain: string;
  /** 0 public, 1 private, 2 password; null counts as public. */
  privacy: number | null;
  /** The text itself. */
  password: string | null;
  /** Whether reports are sent by e-mail: 1 or 0; null counts as 0. */
  email: number | null;
  /** Whether bots are excluded from the statistics: 1 or 0; null counts as 0. */
  exclude_bots: number | null;
  /** One to a line. */
  exclude_params: string | null;
  /** One to a line. */
  exclude_ips: string | null;
  /** Whether visits have been counted. They are lost with the website. */
  statistics: boolean;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
}

/** A pixel as it is stored. */
export interface StoredPixel {
  /** Number of the record, given by the store. */
  id: number;
  /** Name, unique in the account. */
  name: string;
  /** Its provider, such as `facebook`. */
  type: string;
  /** Its id at that provider. */
  value: string;
  /** ISO 8601, UTC. */
  created_at: string;
  /** ISO 8601, UTC. */
  updated_at: string;
}

/** A website for the store, unchecked, and what is omitted is null. */
export type WebsiteSeed = Pick<StoredWebsite, "domain"> & Partial<StoredWebsite>;

/** A pixel for the store, unchecked; by default with the type `facebook` and the value `1`. */
export type PixelSeed = Pick<StoredPixel, "name"> & Partial<StoredPixel>;

/** What a service holds. Each part replaces what was there; omitted parts stay unchanged. */
export interface Seed {
  /** All websites. */
  websites?: WebsiteSeed[];
  /** All pixels. */
  pixels?: PixelSeed[];
  /** The marketplace account. */
  account?: Account;
  /** All items of the account. */
  items?: Item[];
  /** All purchases of its items. */
  purchases?: Purchase[];
}

const text = z.string();
const keptByTheStore = { id: count, created_at: text, updated_at: text };
const switches = z.literal([0, 1]).nullable();
const websiteColumns = {
  ...keptByTheStore,
  privacy: z.literal([0, 1, 2]).nullable(),
  password: text.nullable(),
  email: switches,
  exclude_bots: switches,
  exclude_params: text.nullable(),
  exclude_ips: text.nullable(),
  statistics: z.boolean(),
};
const pixelColumns = { ...keptByTheStore, type: text, value: text };

export const websiteShape: z.ZodType<WebsiteSeed> = record({ domain: text }, websiteColumns);
export const pixelShape: z.ZodType<PixelSeed> = record({ name: text }, pixelColumns);
export const websiteEditShape: z.ZodType<Partial<StoredWebsite>> = record(
  {},
  { domain: text, ...websiteColumns },
);
export const pixelEditShape: z.ZodType<Partial<StoredPixel>> = record({}, { name: text, ...pixelColumns });
export const seedShape: z.ZodType<Seed> = record(
  {},
  {
    websites: z.array(websiteShape),
    pixels: z.array(pixelShape),
    account: accountShape,
    items: z.array(itemShape),
    purchases: z.array(purchaseShape),
  },
);

/** Reads a seed from JSON text. The error names what is wrong, and where. */
export function parseSeed(json: string): Seed {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new ShapeError(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return read(seedShape, value);
}

/** Applies a seed to a service. */
export function applySeed({ tables, market }: ServiceState, { websites, pixels, ...rest }: Seed): void {
  if (websites) tables.website.replace(websites);
  if (pixels) tables.pixel.replace(pixels);
  Object.assign(market, rest);
}
