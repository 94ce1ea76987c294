/**
 * The service on this machine, for demos and tests.
 *
 * @module pulumi-tracking/emulator
 */
export { connectEmulator, type EmulatorClient } from "./control/client";
export type { SettingsChange } from "./control/input-shapes";
export type { LogEntry, Phase, Wait } from "./control/log-entry";
export {
  type PixelSeed,
  parseSeed,
  type Seed,
  type StoredPixel,
  type StoredWebsite,
  type WebsiteSeed,
} from "./control/seed";
export type {
  CommitTime,
  Fault,
  FaultReply,
  ReplyInstead,
  ReplyName,
  RequestMatch,
} from "./faults/fault";
export { type MarketDialect, marketDialectNames } from "./market/dialects";
export type { Account, Item, Market, Purchase } from "./market/records";
export { type Emulator, type EmulatorOptions, startEmulator } from "./server";
export { type Dialect, dialectNames } from "./service/dialects";
export type { ApiKey, KeyVerdict } from "./service/keys";
export type { RateLimit } from "./service/rate-limit";
export type { Service } from "./service/request";
export type { ListFaults, Settings } from "./service/state";
