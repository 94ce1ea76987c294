import { type Api, UnexpectedAnswer } from "./api";
import { fetchRecord } from "./fetch-record";
import { OLDEST_FIRST, readOnce, readPages } from "./pages";

/** What was read of a list serves so long, in milliseconds. */
const MAX_AGE_MS = 120_000;

/** How the records of a collection are found. */
export interface Collection<T> {
  /** Its path below the base URL. */
  readonly path: string;
  decode(raw: object): T;
  /** Whether a record may have this key. */
  matches(key: unknown, record: T): boolean;
  /** The list parameters that find what has a key; nothing where a server's search may miss it. */
  search(key: unknown): Readonly<Record<string, string>> | undefined;
}

/** What a list showed. */
interface Snapshot<T> {
  /** When it was begun, as `performance.now()` has it. */
  readonly at: number;
  readonly records: readonly T[];
  readonly byId: ReadonlyMap<string | undefined, T>;
  /** What it does not show is not there. */
  readonly conclusive: boolean;
  /** How many requests all of the list takes, where this is not all that can be had. */
  readonly cost: number;
}

/**
 * Reads the records of one collection, in at most 2n + 2 requests for n records: the list's first page at once, all of
 * the list once enough records are asked for. A list may lie: it is believed if it says what the asker expects; every
 * other record is asked for by itself.
 */
export class RecordReader<T extends { readonly id: string | undefined }> {
  private readonly api: Api;
  private snapshot: Snapshot<T> | undefined;
  private reading: { readonly at: number; readonly done: Promise<Snapshot<T>> } | undefined;
  /** What this run makes of the records that it writes; nothing of those that it deletes. */
  private readonly written = new Map<string | undefined, T | undefined>();
  private requested = 0;
  private sent = 0;
  /** The list can't be had. */
  private isListUnavailable = false;

  constructor(
    api: Api,
    private readonly collection: Collection<T>,
  ) {
    this.api = (request) => {
      this.sent += 1;
      return api(request);
    };
  }

  /**
   * One record, asked for now; nothing on proof that it is gone.
   *
   * @param key what it should have: a list too long to be read is searched for it before the record is held to be gone
   */
  fetch(id: string, key?: unknown): Promise<T | undefined> {
    const { path, decode } = this.collection;
    return fetchRecord(this.api, `${path}/${encodeURIComponent(id)}`, decode, (since) =>
      this.isListed(id, key, since),
    );
  }

  /** One record, from the list if that `agrees` with what the asker expects, else as `fetch` has it. */
  async read(id: string, agrees: (listed: T) => boolean, key?: unknown): Promise<T | undefined> {
    this.requested += 1;
    // If the list can't be had, each record is asked for by itself, and its error says why.
    const isUseless = this.isListUnavailable || this.written.has(id);
    const list = isUseless ? undefined : await this.list().catch(() => this.giveUp());
    const listed = list?.byId.get(id);
    return listed !== undefined && agrees(listed) && !this.written.has(id) ? listed : this.fetch(id, key);
  }

  /**
   * Records among which are all that have this key. Rejects where the service can't tell.
   *
   * @param fresh they are asked for now, and where a search finds none, the list is read too
   */
  async findByKey(key: unknown, { fresh = false } = {}): Promise<T[]> {
    const { matches, search, path } = this.collection;
    const has = (records: Iterable<T | undefined>) => [...records].some((each) => each && matches(key, each));
    if (!fresh) {
      this.requested += 1;
      const { records, byId, conclusive } = await this.list();
      const isWritten = has([...this.written].flatMap(([id, next]) => [next, byId.get(id)]));
      if (isWritten) return this.findByKey(key, { fresh: true });
      if (conclusive) return records.filter(({ id }) => !this.written.has(id));
    }
    const query = search(key);
    const searched = query && (await this.readAll(query));
    if (searched && ((searched.complete && !fresh) || has(searched.records))) return searched.records;
    const listed = await this.readAll({});
    if (listed.complete || has(listed.records)) return listed.records;
    if (searched?.complete) return searched.records;
    throw new UnexpectedAnswer(
      { method: "GET", path },
      `the service's list is cut off after ${listed.records.length} records, and so is what it finds: whether there is such a record can't be told`,
    );
  }

  /** This run is about to write a record, to make `next` of it or to delete it: no list is believed about it again. */
  invalidate(id: string, next?: T): void {
    this.written.set(id, next);
  }

  /** The list as it was read since then, or as it is now: to its end if the budget allows. */
  private async list(since = performance.now() - MAX_AGE_MS): Promise<Snapshot<T>> {
    const { snapshot } = this;
    if (snapshot && snapshot.at >= since && !this.isWithinBudget(snapshot.cost)) return snapshot;
    if (this.reading && this.reading.at < since) await this.reading.done.catch(() => {});
    this.reading ??= { at: performance.now(), done: this.readList() };
    return this.reading.done;
  }

  private giveUp(): undefined {
    this.isListUnavailable = true;
  }

  private async readList(): Promise<Snapshot<T>> {
    const at = performance.now();
    const { path, decode } = this.collection;
    const goOn = (left: number) => this.isWithinBudget(left);
    const list = await readOnce(this.api, path, OLDEST_FIRST, goOn).finally(() => {
      this.reading = undefined;
    });
    const records = list.records.map(decode);
    const byId = new Map(records.map((record) => [record.id, record]));
    // What follows one that is deleted meanwhile may have slipped to a page that was read already.
    const slips = [...this.written].some(([id, next]) => next === undefined && byId.has(id));
    this.snapshot = {
      at,
      records,
      byId,
      conclusive: list.complete && list.stable && !slips,
      cost: list.cost,
    };
    return this.snapshot;
  }

  private async readAll(
    query: Readonly<Record<string, string>>,
  ): Promise<{ records: T[]; complete: boolean }> {
    const { path, decode } = this.collection;
    const { records, complete } = await readPages(this.api, path, { ...query, ...OLDEST_FIRST });
    return { records: records.map(decode), complete };
  }

  private async isListed(id: string, key?: unknown, since?: number): Promise<boolean> {
    const list = await this.list(since ?? (this.written.has(id) ? performance.now() : undefined));
    if (list.conclusive || list.byId.has(id)) return list.byId.has(id);
    const query = key === undefined ? undefined : this.collection.search(key);
    return query !== undefined && (await this.readAll(query)).records.some((record) => record.id === id);
  }

  /** Whether so many more requests stay within 2n + 2. A record alone never pays for more than the first page. */
  private isWithinBudget(more: number): boolean {
    return this.requested > 1 && this.sent + more <= 2 * this.requested + 2;
  }
}
