import type { Api } from "../api/api";
import type { RemoteRecord } from "../schema/codec";
import type { Resource, Values } from "../schema/resource";
import type { ResourceLedger } from "./ledger";

/** What a step of the lifecycle works on, and all that it needs of the outside. */
export interface Context {
  readonly resource: Resource;
  readonly api: Api;
  readonly records: {
    /** One record as it is now, or nothing on proof that it is gone. `key` is what it should have. */
    fetch(id: string, key?: unknown): Promise<RemoteRecord | undefined>;
    /** The same, or what a list of a moment ago says of it, where that `agrees` with what is expected. */
    read(
      id: string,
      agrees: (listed: RemoteRecord) => boolean,
      key?: unknown,
    ): Promise<RemoteRecord | undefined>;
    /**
     * Records among which are all that have this key; what is `fresh` is asked for now. Rejects where the service
     * can't tell whether there is one.
     */
    findByKey(key: unknown, options?: { fresh?: boolean }): Promise<RemoteRecord[]>;
    /** A record is about to be changed to `next`, or deleted: no list is believed about it any more. */
    invalidate(id: string, next?: RemoteRecord): void;
  };
  /** Which resource has which record, in all of this run. */
  readonly ledger: ResourceLedger;
  /** Tells people what has just become of a record. */
  warn(subject: string, text: string): void;
  /** Waits so many milliseconds. */
  sleep(milliseconds: number): Promise<unknown>;
  /** Milliseconds since some moment. */
  clock(): number;
}

/** A resource as the engine keeps it. */
export interface ResourceState {
  readonly id: string;
  readonly state: Values;
}
