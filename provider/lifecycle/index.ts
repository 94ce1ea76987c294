export { check, type Notice, type Notify, type Rejection } from "./check";
export type { Context, ResourceState } from "./context";
export { create } from "./create";
export { read, remove, update } from "./crud";
export { diff, hold } from "./diff";
export { describeRecord, LifecycleError, PartialFailure } from "./errors";
export { type Entry, type Identity, Ledger, ResourceLedger, type RunFile } from "./ledger";
