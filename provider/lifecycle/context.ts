import type { Api } from "../api/api";
import type { RemoteRecord } from "../schema/codec";
import type { Resource, Values } from "../schema/resource";
import type { ResourceLedger } from "./ledger";

/** What each step of the lifecycle works on, and its only way to the outside. */
export interface Context {
  readonly resource: Resource;
  readonly api: Api;
  readonly records: {
    /** Reads one record from the service; nothing only if it is proved to be gone. `key` is the expected key. */
    fetch(id: string, key?: unknown): Promise<RemoteRecord | undefined>;
    /** The same, but a recent list is enough if its record `agrees` with what is expected. */
    read(
      id: string,
      agrees: (listed: RemoteRecord) => boolean,
      key?: unknown,
    ): Promise<RemoteRecord | undefined>;
    /**
     * All records with this key, and possibly others. `fresh` asks the service again instead of using a recent list.
     * Rejects if the service can't tell whether such a record exists.
     */
    findByKey(key: unknown, options?: { fresh?: boolean }): Promise<RemoteRecord[]>;
    /** Call before a record is changed to `next`, or deleted: recent lists no longer count for it. */
    invalidate(id: string, next?: RemoteRecord): void;
  };
  /** Which resource owns which record in this run. */
  readonly ledger: ResourceLedger;
  /** Prints what has just happened to a record. */
  warn(text: string): void;
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
