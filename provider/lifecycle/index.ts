/**
 * Check, diff, create, adopt, read, update and delete, for a record of any resource, and which resource has which record. Nothing
 * here knows a resource by name, Pulumi, or how a request is sent.
 */
export { AccountGuard } from "./account-guard";
export { check } from "./check";
export type { Context, Notice } from "./context";
export { create } from "./create";
export { remove } from "./delete";
export { diff, diffWithNotices } from "./diff";
export {
  describeRecord,
  LifecycleError,
  PartialFailure,
  questionIfAlone,
  type RecordInState,
} from "./errors";
export { remember } from "./find";
export { type Entry, Ledger } from "./ledger";
export { read } from "./read";
export { ResourceLedger } from "./resource-ledger";
export { assertReadable } from "./standing";
export { update } from "./update";
