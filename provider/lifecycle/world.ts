import type { Api } from "../api/api";
import type { Values } from "../schema/resource";
import type { Found } from "../schema/wire";
import type { Claims } from "./claims";

/** All that the lifecycle needs of the world outside. */
export interface World {
  readonly api: Api;
  readonly records: {
    /** One record as it is now, or nothing on proof that it is gone. `key` is what it should have. */
    fetch(id: string, key?: unknown): Promise<Found | undefined>;
    /** The same, or what a list of a moment ago says of it, where that `agrees` with what is expected. */
    read(id: string, agrees: (listed: Found) => boolean, key?: unknown): Promise<Found | undefined>;
    /**
     * Records among which are all that have this key; what is `fresh` is asked for now. Rejects where the service
     * can't tell whether there is one.
     */
    findByKey(key: unknown, options?: { fresh?: boolean }): Promise<Found[]>;
    /** A record is about to be changed to `next`, or deleted: no list is believed about it any more. */
    invalidate(id: string, next?: Found): void;
  };
  /** Whose records are whose, in all of this run. */
  readonly claims: Claims;
  /** Tells people what has just become of a record. */
  say(subject: string, text: string): void;
  /** Waits so many milliseconds. */
  rest(milliseconds: number): Promise<unknown>;
  /** Milliseconds since some moment. */
  clock(): number;
}

/** A resource as the engine keeps it. */
export interface Kept {
  readonly id: string;
  readonly state: Values;
}
