import type { RemoteRecord } from "../schema/codec";
import type { Snapshot } from "./snapshot";

/** A list that is being read. */
export class Listing {
  /** When it was asked for (`performance.now()`). */
  readonly askedAt = performance.now();
  /** All of it, when the last page has come. */
  readonly done: Promise<Snapshot>;
  /** The records of the pages that have come, by id. */
  private readonly shown = new Map<string | undefined, RemoteRecord>();
  /** Those that somebody waits for. */
  private readonly sought = new Map<string | undefined, PromiseWithResolvers<RemoteRecord>>();

  /** @param read reads the list, and calls `show` with each record */
  constructor(read: (listing: Listing) => Promise<Snapshot>) {
    this.done = read(this);
  }

  /** Takes a record of a page that has come. */
  show(record: RemoteRecord): void {
    this.shown.set(record.id, record);
    this.sought.get(record.id)?.resolve(record);
  }

  /** What it shows under an id, as soon as a page has come that shows it; undefined when all have come and none does. */
  async find(id: string): Promise<RemoteRecord | undefined> {
    const shown = this.shown.get(id);
    if (shown !== undefined) return shown;
    const sought = this.sought.get(id) ?? Promise.withResolvers<RemoteRecord>();
    this.sought.set(id, sought);
    return Promise.race([sought.promise, this.done.then(({ byId }) => byId.get(id))]);
  }
}
