/**
 * The service on this machine, for demos and tests: websites and pixels are in `service`, the marketplace in `market`.
 *
 * @module pulumi-tracking/emulator
 */
export { type MarketDialect, marketDialectNames } from "./market/dialects";
export type { Account, Item, Purchase } from "./market/records";
export { type PixelSeed, parseSeed, type Seed, type WebsiteSeed } from "./seed";
export { type Emulator, type EmulatorOptions, startEmulator } from "./server";
export { type Dialect, dialectNames } from "./service/dialects";
export type { RateLimit } from "./service/rate-limit";
