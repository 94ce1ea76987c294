import type { Api } from "../api/api";
import type { Values } from "../schema/resource";
import type { Found } from "../schema/wire";

/** Tells people what they should know. Notices that share `alike` may become one line. */
export type Say = (subject: string, text: string, alike?: string) => void;

/** All that the lifecycle needs of the world outside. */
export interface World {
  readonly api: Api;
  readonly records: {
    /** One record, or nothing on proof that it is gone. */
    show(id: string): Promise<Found | undefined>;
    /** Every record; a `fresh` list is asked for now. */
    all(fresh?: boolean): Promise<Found[]>;
  };
  /** Ids and keys that this run has made, taken over, or is about to; nobody else of the run may have them. */
  readonly claims: Set<string>;
  readonly say: Say;
}

/** A resource as the engine keeps it. */
export interface Kept {
  readonly id: string;
  readonly state: Values;
}
