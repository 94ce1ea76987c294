export { check, type Notice, type Notify, type Rejection } from "./check";
export { Claims } from "./claims";
export type { Context, ResourceState } from "./context";
export { create } from "./create";
export { diff, read, remove, update } from "./crud";
export type { Options } from "./declared-claims";
export { LifecycleError, PartialFailure } from "./errors";
export type { Hints } from "./hints";
export { Ownership } from "./ownership";
