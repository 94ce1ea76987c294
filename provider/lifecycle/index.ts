export { Account } from "./account";
export { check } from "./check";
export type { Context, Notice } from "./context";
export { create } from "./create";
export { diff, keep, read, remove, update } from "./crud";
export { describeRecord, PartialFailure } from "./errors";
export { type Entry, type Exchange, Ledger, ResourceLedger } from "./ledger";
