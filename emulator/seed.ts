import { z } from "zod";
import { accountShape, itemShape, purchaseShape } from "./market/records";
import { dialects } from "./service/dialects";
import type { ServiceState } from "./service/state";
import type { Columns } from "./service/store";
import { count, omissible, read, ShapeError } from "./shapes";

const text = z.string();
const keptByTheStore = { id: count, created_at: text, updated_at: text };
/** 1 or 0; null counts as 0. */
const flag = z.int().min(0).max(1).nullable();
const website = {
  ...keptByTheStore,
  /** Host name, unique on the whole installation. */
  domain: text,
  /** 0 public, 1 private, 2 password; null counts as public. */
  privacy: z.int().min(0).max(2).nullable(),
  password: text.nullable(),
  email: flag,
  exclude_bots: flag,
  /** One to a line. */
  exclude_params: text.nullable(),
  /** One to a line. */
  exclude_ips: text.nullable(),
};
const pixel = { ...keptByTheStore, name: text, type: text, value: text };

const websiteSeed = z.strictObject({ ...omissible(website), domain: text });
const pixelSeed = z.strictObject({ ...omissible(pixel), name: text });
const seedShape = z.strictObject(
  omissible({
    websites: z.array(websiteSeed),
    pixels: z.array(pixelSeed),
    account: accountShape,
    items: z.array(itemShape),
    purchases: z.array(purchaseShape),
  }),
);

/** A website as it is stored. */
export type StoredWebsite = z.infer<z.ZodObject<typeof website>>;
/** A pixel as it is stored. */
export type StoredPixel = z.infer<z.ZodObject<typeof pixel>>;
/** A website for the store, unchecked; what is omitted is null. */
export type WebsiteSeed = z.infer<typeof websiteSeed>;
/** A pixel for the store, unchecked; by default with the type `facebook` and the value `1`. */
export type PixelSeed = z.infer<typeof pixelSeed>;
/** What a service holds. Each part replaces what was there; omitted parts stay unchanged. */
export type Seed = z.infer<typeof seedShape>;

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

/** Columns as the web interface stores them, which writes lists of lines in its own way. */
export function asEntered({ settings }: ServiceState, columns: Columns): Columns {
  const { editLines } = dialects[settings.dialect];
  const lines = ["exclude_params", "exclude_ips"].filter((name) => typeof columns[name] === "string");
  const entered = Object.fromEntries(lines.map((name) => [name, editLines(String(columns[name]))]));
  return { ...columns, ...entered };
}

/** Applies a seed to a service, as if people had entered its records in the web interface. */
export function applySeed(state: ServiceState, { websites, pixels, ...market }: Seed): void {
  if (websites) state.tables.website.replace(websites.map((columns) => asEntered(state, columns)));
  if (pixels) state.tables.pixel.replace(pixels);
  Object.assign(state.market, market);
}
