import type { Api } from "../api/api";
import type { RecordReader } from "../records/reader";
import type { Resource, Values } from "../schema/resource";
import type { AccountGuard } from "./account-guard";
import type { ResourceLedger } from "./resource-ledger";

/** A line that people should read before they let a change happen. */
export interface Notice {
  /** Names the record and says what will happen to it. */
  readonly text: string;
  /** The same, without what differs between records: notices that share it are counted as similar. */
  readonly groupKey: string;
}

/** Prints a notice. */
export type Notify = (notice: Notice) => void;

/** What check, diff, create and the others work on, and their only way to the outside. */
export interface Context {
  readonly resource: Resource;
  readonly api: Api;
  readonly records: Omit<RecordReader, "readAll">;
  /** The guard of the account of these records, shared by all resources that have its key and address. */
  readonly guard: AccountGuard;
  /** Says which settings to check if this seems to be another account. */
  accountAdvice(): string;
  /** Which resource has which record in this run. */
  readonly ledger: ResourceLedger;
  /** Prints what has just happened to a record. */
  readonly warn: Notify;
  /** Waits this many milliseconds. */
  sleep(milliseconds: number): Promise<unknown>;
  /** Milliseconds since a fixed moment. */
  clock(): number;
}

/** A resource as the engine's state holds it. */
export interface ResourceState {
  readonly id: string;
  readonly state: Values;
}
