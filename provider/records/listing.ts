import { decode, type RemoteRecord } from "../schema/codec";
import type { Resource } from "../schema/resource";
import type { Snapshot } from "./snapshot";

/** A list that is being read. */
export class Listing {
  /** When it was asked for (`performance.now()`). */
  readonly askedAt = performance.now();
  /** All of it, when the last page has come. */
  readonly done: Promise<Snapshot>;
  /** The records of the pages that have come, by the object that the service sent. */
  private readonly decoded = new Map<object, RemoteRecord>();
  /** By id, those that a page has shown, or that somebody waits for. */
  private readonly records = new Map<string | undefined, PromiseWithResolvers<RemoteRecord>>();

  /** @param read reads the list, and calls `show` with each page */
  constructor(
    private readonly resource: Resource,
    read: (listing: Listing) => Promise<Snapshot>,
  ) {
    this.done = read(this);
  }

  /** Takes the records of a page that has come. */
  show(page: readonly object[]): void {
    for (const raw of page) {
      const record = this.decode(raw);
      this.recordOf(record.id).resolve(record);
    }
  }

  /** A record as this list has it, decoded once. */
  decode(raw: object): RemoteRecord {
    const record = this.decoded.get(raw) ?? decode(this.resource, raw);
    this.decoded.set(raw, record);
    return record;
  }

  /** Resolves with a record as soon as a page that shows it has come; has no end if none does. */
  find(id: string): Promise<RemoteRecord> {
    return this.recordOf(id).promise;
  }

  private recordOf(id: string | undefined): PromiseWithResolvers<RemoteRecord> {
    const record = this.records.get(id) ?? Promise.withResolvers<RemoteRecord>();
    this.records.set(id, record);
    return record;
  }
}
