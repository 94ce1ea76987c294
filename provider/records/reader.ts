import { setTimeout as sleep } from "node:timers/promises";
import { type Api, ApiError, type Request, UnexpectedAnswer } from "../api/api";
import { decode, type RemoteRecord } from "../schema/codec";
import { couldHaveKey } from "../schema/identity";
import { fieldOf, type Resource } from "../schema/resource";
import { parseRecord } from "./envelope";
import { OLDEST_FIRST, readOnce, readPages } from "./pages";

/** How long a list that was read can be used, in milliseconds. */
const MAX_AGE_MS = 120_000;

/** How far a replica of the service's data may lag behind, in milliseconds. */
const REPLICATION_LAG_MS = 1000;

/** The content of a list at one time. */
interface Snapshot {
  /** When the reading began (`performance.now()`). */
  readonly at: number;
  readonly records: readonly RemoteRecord[];
  readonly byId: ReadonlyMap<string | undefined, RemoteRecord>;
  /** Whether a record that it does not show does not exist. */
  readonly conclusive: boolean;
  /** How many requests the whole list takes; `Infinity` if this is all that the server returns. */
  readonly cost: number;
}

/**
 * Reads n records of one resource in at most 2n + 2 requests: first the list's first page, and the whole list once
 * enough records were requested. A list may be stale, so a record is taken from it only if it matches what the caller
 * expects; every other record is read by its own request.
 */
export class RecordReader {
  private readonly api: Api;
  private snapshot: Snapshot | undefined;
  private reading: { readonly at: number; readonly done: Promise<Snapshot> } | undefined;
  /** The records that this run writes, each with its new content, or nothing if it is deleted. */
  private readonly written = new Map<string | undefined, RemoteRecord | undefined>();
  private requested = 0;
  private sent = 0;
  /** Whether reading the list failed. */
  private isListUnavailable = false;

  constructor(
    api: Api,
    private readonly resource: Resource,
  ) {
    this.api = (request) => {
      this.sent += 1;
      return api(request);
    };
  }

  /**
   * Reads one record now, by its own request; resolves with nothing if it is provably gone. A 404 alone is no proof, since
   * a wrong address and a lagging replica answer so too: a list of the same service must not show the record either.
   *
   * @param key its expected key: if the list is too long to read, a search by this key proves that the record is gone
   */
  async fetch(id: string, key?: unknown): Promise<RemoteRecord | undefined> {
    const { path } = this.resource;
    const request: Request = { method: "GET", path: `${path}/${encodeURIComponent(id)}` };
    for (let since: number | undefined; ; since = performance.now()) {
      try {
        return decode(this.resource, parseRecord(request, await this.api(request)));
      } catch (error) {
        if (!(error instanceof ApiError) || error.failure !== "missing") throw error;
      }
      if (!(await this.isListed(id, key, since))) return undefined;
      if (since !== undefined)
        throw new UnexpectedAnswer(
          request,
          "the service contradicts itself: its list shows the record, but the record is not found by its id; it counts as existing",
          { status: 404, remedy: "try again later; if that does not help, ask the service's operators" },
        );
      await sleep(REPLICATION_LAG_MS);
    }
  }

  /** Reads one record: from the list if it `agrees` with what the caller expects, else by `fetch`. */
  async read(
    id: string,
    agrees: (listed: RemoteRecord) => boolean,
    key?: unknown,
  ): Promise<RemoteRecord | undefined> {
    this.requested += 1;
    // If the list fails, each record is read by its own request, whose error says why.
    const isUseless = this.isListUnavailable || this.written.has(id);
    const list = isUseless ? undefined : await this.list().catch(() => this.giveUp());
    const listed = list?.byId.get(id);
    return listed !== undefined && agrees(listed) && !this.written.has(id) ? listed : this.fetch(id, key);
  }

  /**
   * Finds at least all records with this key. Rejects if the service's answers leave that open.
   *
   * @param fresh read them now and, if a search finds none, read the list too
   */
  async findByKey(key: unknown, { fresh = false } = {}): Promise<RemoteRecord[]> {
    const { path } = this.resource;
    const has = (records: Iterable<RemoteRecord | undefined>) =>
      [...records].some((each) => each && couldHaveKey(this.resource, key, each));
    if (!fresh) {
      this.requested += 1;
      const { records, byId, conclusive } = await this.list();
      const isWritten = has([...this.written].flatMap(([id, next]) => [next, byId.get(id)]));
      if (isWritten) return this.findByKey(key, { fresh: true });
      if (conclusive) return records.filter(({ id }) => !this.written.has(id));
    }
    const query = this.search(key);
    const searched = query && (await this.readAll(query));
    if (searched && ((searched.complete && !fresh) || has(searched.records))) return searched.records;
    const listed = await this.readAll({});
    if (listed.complete || has(listed.records)) return listed.records;
    if (searched?.complete) return searched.records;
    throw new UnexpectedAnswer(
      { method: "GET", path },
      this.areReadable(listed.records)
        ? `the service truncates its list after ${listed.records.length} records, and its search too, so whether such a record exists is unknown`
        : `the service lists a record without an id or a ${this.resource.key} that can be read, so whether such a record exists is unknown`,
    );
  }

  /** How many records the list showed, and whether these are all. */
  get listed(): { readonly count: number; readonly isAll: boolean } {
    return { count: this.snapshot?.records.length ?? 0, isAll: this.snapshot?.conclusive ?? false };
  }

  /** Call before writing a record as `next`, or deleting it: no list counts for this record any more. */
  invalidate(id: string, next?: RemoteRecord): void {
    this.written.set(id, next);
  }

  /** The list, if it was read after `since`, or read now: to its end if the budget allows. */
  private async list(since = performance.now() - MAX_AGE_MS): Promise<Snapshot> {
    const { snapshot } = this;
    if (snapshot && snapshot.at >= since && !this.isWithinBudget(snapshot.cost)) return snapshot;
    if (this.reading && this.reading.at < since) await this.reading.done.catch(() => {});
    this.reading ??= { at: performance.now(), done: this.readList() };
    return this.reading.done;
  }

  private giveUp(): undefined {
    this.isListUnavailable = true;
  }

  private async readList(): Promise<Snapshot> {
    const at = performance.now();
    const { path } = this.resource;
    const goOn = (left: number) => this.isWithinBudget(left);
    const list = await readOnce(this.api, path, OLDEST_FIRST, goOn).finally(() => {
      this.reading = undefined;
    });
    const records = list.records.map((raw) => decode(this.resource, raw));
    const byId = new Map(records.map((record) => [record.id, record]));
    // A record after a deleted one may have moved to a page that was read before.
    const slips = [...this.written].some(([id, next]) => next === undefined && byId.has(id));
    this.snapshot = {
      at,
      records,
      byId,
      conclusive: list.complete && list.stable && !slips && this.areReadable(records),
      cost: list.cost,
    };
    return this.snapshot;
  }

  private async readAll(
    query: Readonly<Record<string, string>>,
  ): Promise<{ records: RemoteRecord[]; complete: boolean }> {
    const { records, complete } = await readPages(this.api, this.resource.path, {
      ...query,
      ...OLDEST_FIRST,
    });
    const decoded = records.map((raw) => decode(this.resource, raw));
    return { records: decoded, complete: complete && this.areReadable(decoded) };
  }

  /** Whether each record shows its id and its key: otherwise any of them may be the one that is looked for. */
  private areReadable(records: readonly RemoteRecord[]): boolean {
    return records.every(({ id, values }) => id !== undefined && values[this.resource.key] != null);
  }

  /** The list parameters that search for a key; nothing if a server's search may miss it. */
  private search(value: unknown): Readonly<Record<string, string>> | undefined {
    const key = fieldOf(this.resource, this.resource.key);
    const search = key.searchTerm(value);
    return search === undefined ? undefined : { search, search_by: key.wire ?? this.resource.key };
  }

  private async isListed(id: string, key?: unknown, since?: number): Promise<boolean> {
    const list = await this.list(since ?? (this.written.has(id) ? performance.now() : undefined));
    if (list.conclusive || list.byId.has(id)) return list.byId.has(id);
    const query = key === undefined ? undefined : this.search(key);
    return query !== undefined && (await this.readAll(query)).records.some((record) => record.id === id);
  }

  /**
   * Whether this many more requests, and one for the record itself, stay within 2n + 2. A single record never justifies
   * more than the first page.
   */
  private isWithinBudget(more: number): boolean {
    return this.requested > 1 && this.sent + more + 1 <= 2 * this.requested + 2;
  }
}
