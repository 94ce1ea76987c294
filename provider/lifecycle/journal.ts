/** What becomes of a resource's old record where it is declared with another key. */
export type Move = "renamed" | "deleted-first" | "deleted-after" | "left";

/** A resource is declared: by the program's process, and once more when the engine has it checked. */
export interface Declared {
  readonly is: "declared" | "checked";
  readonly key: string;
  /** Tells this declaration from all others of the run. */
  readonly token: string;
  /** The resource's name in the program. */
  readonly name?: string | undefined;
  /** It will be checked without waiting for another resource. */
  readonly plain?: boolean | undefined;
  /** It has no record yet, or a replacement of it is on its way. */
  readonly fresh?: boolean;
  /** The key that it had, where that was another one. */
  readonly from?: string | undefined;
  readonly move?: Move | undefined;
  /** It would take over a record that has its key. */
  readonly adopts?: boolean | undefined;
}

/**
 * What becomes of a record, by the key of the resource that sees to it: it is and stays that one's, is being replaced,
 * was taken over, was made, is being deleted.
 */
export interface Claimed {
  readonly is: "held" | "leaving" | "taken" | "made" | "deleting";
  readonly id: string;
  readonly key: string;
  /** What the record is whatever address it was found at. */
  readonly anywhere?: string;
}

/**
 * A record was deleted; was renamed, as far as that could be done; is there still since it could not be deleted; or is
 * left to another resource.
 */
export interface Moved {
  readonly is: "gone" | "renamed" | "stays" | "left";
  readonly id: string;
}

/** What one process of a run lets the others know. Keys and records go by their identities. */
export type Event =
  | Declared
  | Claimed
  | Moved
  /** The engine is done with a resource, checked or not. */
  | { readonly is: "ended"; readonly token: string }
  /** The resource with this key would take over the record that has it; its create begins; that has failed. */
  | { readonly is: "wanted" | "creating" | "failed"; readonly key: string }
  /** A check, a rename or a delete asks the service, which may take long; it has been answered. */
  | { readonly is: "asks" | "answered" }
  /** Those who wait for others to be checked wait no longer: the engine may be waiting for them. */
  | { readonly is: "hurry" }
  /** A resource was refused, or failed, so that the engine may check no more. */
  | { readonly is: "refused" };

/** An event, and who told it. */
export interface Entry {
  readonly event: Event;
  readonly writer: string;
}

/** What all processes of one run know of each other: everyone sees every event, and all in one order. */
export interface Journal {
  /** Who tells what is told here. */
  readonly writer: string;
  append(event: Event): void;
  /** What was told since it was last asked, one's own events too. */
  read(): readonly Entry[];
  /** Whether the run of this writer still goes on, so that what it told counts. */
  isAlive(writer: string): boolean;
  /** Resolves to true as soon as there is something to read, or to false after a silence of so many milliseconds. */
  changed(silence: number): Promise<boolean>;
}
