export { check, type Rejection } from "./check";
export type { Context, Notice, ResourceState } from "./context";
export { create } from "./create";
export { diff, hold, read, remove, update } from "./crud";
export { describeRecord, LifecycleError, PartialFailure } from "./errors";
export { type Entry, type Exchange, type Identity, Ledger, ResourceLedger } from "./ledger";
