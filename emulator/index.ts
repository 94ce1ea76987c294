/**
 * The service on this machine, for demos and tests.
 *
 * @module pulumi-tracking/emulator
 */
export { connectEmulator, type EmulatorClient } from "./client";
export type { SettingsChange } from "./control-shapes";
export type { Count, Counters } from "./counters";
export { type Dialect, dialectNames } from "./dialects";
export type {
  ActiveFault,
  CommitTime,
  Fault,
  FaultReply,
  ReplyInstead,
  ReplyName,
  RequestMatch,
} from "./faults";
export type { ListFaults, Settings } from "./installation";
export type { LogEntry, Phase, Wait } from "./journal";
export type { ApiKey, KeyVerdict } from "./keys";
export { type MarketDialect, marketDialectNames } from "./market-dialects";
export type { Account, Item, Market, Purchase } from "./market-records";
export type { PaceLimit } from "./pace";
export type { Service } from "./request";
export {
  type PixelSeed,
  parseSeed,
  type Seed,
  type StoredPixel,
  type StoredWebsite,
  type WebsiteSeed,
} from "./seed";
export { type Emulator, type EmulatorOptions, startEmulator } from "./server";
