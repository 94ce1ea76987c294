import { type Api, UnexpectedAnswer } from "./api";
import { fetchRecord } from "./fetch-record";
import { OLDEST_FIRST, readOnce, readPages } from "./pages";

/** What was read of a list serves so long, in milliseconds. */
const FRESH_MS = 120_000;

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

interface Snapshot<T> {
  /** When it was begun, as `performance.now()` has it. */
  readonly at: number;
  readonly all: readonly T[];
  readonly byId: ReadonlyMap<string | undefined, T>;
  readonly ended: boolean;
  /** What it does not show is not there. */
  readonly proves: boolean;
}

/**
 * Reads the records of one collection, for at most two requests a record that is asked for and two: one alone by a
 * request of its own, many from one reading of the list. A list may lie: it is believed where it says what the asker
 * expects, and every other record is asked for by itself.
 */
export class RecordReader<T extends { readonly id: string | undefined }> {
  private readonly api: Api;
  private snapshot: Snapshot<T> | undefined;
  private reading: { readonly at: number; readonly done: Promise<Snapshot<T>> } | undefined;
  /** What this run makes of the records that it writes; nothing of those that it deletes. */
  private readonly written = new Map<string | undefined, T | undefined>();
  private asked = 0;
  private spent = 0;
  private begun = false;
  /** So many pages the list has, as far as is known. */
  private pages = 1;

  /** @param patience how long who asks first waits for the next, in milliseconds */
  constructor(
    api: Api,
    private readonly collection: Collection<T>,
    private readonly patience = 5,
  ) {
    this.api = (request) => {
      this.spent += 1;
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

  /** One record, from the list where that `agrees` with what the asker expects, else as `fetch` has it. */
  async read(id: string, agrees: (listed: T) => boolean, key?: unknown): Promise<T | undefined> {
    this.asked += 1;
    for (let asked = 0; !this.begun && asked < this.asked; ) {
      asked = this.asked;
      await new Promise((resolve) => setTimeout(resolve, this.patience));
    }
    this.begun = true;
    // Where the list can't be had, each asks for itself and is told why.
    const many = this.asked > 1 && this.pages < Number.POSITIVE_INFINITY && !this.written.has(id);
    const list = many ? await this.list().catch(() => this.giveUp()) : undefined;
    const listed = list?.byId.get(id);
    const holds = listed !== undefined && agrees(listed) && !this.written.has(id);
    return holds ? listed : this.fetch(id, key);
  }

  /**
   * Records among which are all that have this key. Rejects where the service can't tell.
   *
   * @param fresh they are asked for now, and where a search finds none, the list is read too
   */
  async findByKey(key: unknown, { fresh = false } = {}): Promise<T[]> {
    if (!fresh) {
      this.asked += 1;
      const list = await this.list();
      if (list.proves) return this.asWritten(key, list);
    }
    const query = this.collection.search(key);
    const searched = query && (await this.readAll(query));
    const has = ({ all }: { all: T[] }) => all.some((record) => this.collection.matches(key, record));
    if (searched !== undefined && ((searched.whole && !fresh) || has(searched))) return searched.all;
    const listed = await this.readAll({});
    if (listed.whole || has(listed)) return listed.all;
    if (searched?.whole) return searched.all;
    throw new UnexpectedAnswer(
      { method: "GET", path: this.collection.path },
      `the service's list is cut off after ${listed.all.length} records, and so is what it finds: whether there is such a record can't be told`,
    );
  }

  /** This run is about to write a record, to make `next` of it or to delete it: no list is believed about it again. */
  invalidate(id: string, next?: T): void {
    this.written.set(id, next);
  }

  /** The list as it was read since then, or as it is now: to its end, where that is paid for. */
  private async list(since = performance.now() - FRESH_MS): Promise<Snapshot<T>> {
    const { snapshot } = this;
    if (snapshot && snapshot.at >= since && (snapshot.ended || !this.pays(this.pages))) return snapshot;
    if (this.reading && this.reading.at < since) await this.reading.done.catch(() => {});
    if (this.reading && this.reading.at >= since) return this.reading.done;
    const at = performance.now();
    const done = this.readList(at).finally(() => {
      if (this.reading?.at === at) this.reading = undefined;
    });
    this.reading = { at, done };
    return done;
  }

  private async readList(at: number): Promise<Snapshot<T>> {
    const { path, decode } = this.collection;
    const { records, whole, stable, ended, pages } = await readOnce(this.api, path, OLDEST_FIRST, (left) =>
      this.pays(left),
    );
    this.pages = pages;
    const all = records.map(decode);
    const byId = new Map(all.map((record) => [record.id, record]));
    // What follows one that is deleted meanwhile may have slipped to a page that was read already.
    const slips = [...byId.keys()].some((id) => this.written.has(id) && this.written.get(id) === undefined);
    this.snapshot = { at, all, byId, ended, proves: whole && stable && !slips };
    return this.snapshot;
  }

  private giveUp(): undefined {
    this.pages = Number.POSITIVE_INFINITY;
  }

  private async readAll(query: Readonly<Record<string, string>>): Promise<{ all: T[]; whole: boolean }> {
    const { path, decode } = this.collection;
    const { records, whole } = await readPages(this.api, path, { ...query, ...OLDEST_FIRST });
    return { all: records.map(decode), whole };
  }

  /** A list's records, and in the place of those that this run writes what they are now, as far as the key is theirs. */
  private async asWritten(key: unknown, { all, byId }: Snapshot<T>): Promise<T[]> {
    const may = (record: T | undefined) => record !== undefined && this.collection.matches(key, record);
    const doubtful = [...this.written].filter(([id, next]) => may(next) || may(byId.get(id)));
    const now = await Promise.all(doubtful.map(([id]) => this.fetch(String(id), key)));
    return [
      ...all.filter(({ id }) => !this.written.has(id)),
      ...now.filter((record) => record !== undefined),
    ];
  }

  private async isListed(
    id: string,
    key: unknown,
    since = this.written.has(id) ? performance.now() : undefined,
  ): Promise<boolean> {
    const list = await this.list(since);
    if (list.proves || list.byId.has(id)) return list.byId.has(id);
    const query = key === undefined ? undefined : this.collection.search(key);
    return query !== undefined && (await this.readAll(query)).all.some((record) => record.id === id);
  }

  /** Whether so many requests more stay within two for each record that was asked for, and two. */
  private pays(more: number): boolean {
    return this.spent + more <= 2 * this.asked + 2;
  }
}
