export { check, type Notice, type Notify, type Rejection } from "./check";
export { Claims } from "./claims";
export type { Context, ResourceState } from "./context";
export { create } from "./create";
export { read, remove, update } from "./crud";
export type { Options } from "./declared-claims";
export { diff } from "./diff";
export { describeRecord, LifecycleError, PartialFailure } from "./errors";
export { Ownership } from "./ownership";
