import { decode, type RemoteRecord } from "../schema/codec";
import type { Resource } from "../schema/resource";
import type { Snapshot } from "./snapshot";

/** A list that is being read. */
export class Listing {
  /** When it was asked for (`performance.now()`). */
  readonly askedAt = performance.now();
  /** All of it, when the last page has come. */
  readonly done: Promise<Snapshot>;
  /** The records of the pages that have come: by the object that the service sent, and by id. */
  private readonly decoded = new Map<object, RemoteRecord>();
  private readonly byId = new Map<string | undefined, RemoteRecord>();
  /** Those that somebody waits for, by id. */
  private readonly sought = new Map<string | undefined, PromiseWithResolvers<RemoteRecord>>();

  /** @param read reads the list, and calls `show` with each page */
  constructor(
    private readonly resource: Resource,
    read: (listing: Listing) => Promise<Snapshot>,
  ) {
    this.done = read(this);
  }

  /** Takes the records of a page that has come. */
  show(records: readonly object[]): void {
    for (const raw of records) {
      const record = this.decode(raw);
      this.byId.set(record.id, record);
      this.sought.get(record.id)?.resolve(record);
    }
  }

  /** A record as this list has it, decoded once. */
  decode(raw: object): RemoteRecord {
    const record = this.decoded.get(raw) ?? decode(this.resource, raw);
    this.decoded.set(raw, record);
    return record;
  }

  /**
   * What the list shows under an id, as soon as that page has come: while nine more are on their way, the engine goes on with the
   * records of the first one. Resolves with undefined if no page shows it.
   */
  async find(id: string): Promise<RemoteRecord | undefined> {
    const shown = this.byId.get(id);
    if (shown !== undefined) return shown;
    const sought = this.sought.get(id) ?? Promise.withResolvers<RemoteRecord>();
    this.sought.set(id, sought);
    return Promise.race([sought.promise, this.done.then(({ byId }) => byId.get(id))]);
  }
}
