import { type Api, ApiError, type Request, recordOf } from "./api";
import { Listing } from "./listing";
import { OLDEST_FIRST, readPages } from "./pages";

/** Those who ask within so many milliseconds of one another ask together. */
const TOGETHER = 5;
/** Requests that pages may cost beyond those that they spare. */
const SLACK = 2;

/** How the records of a collection are found. */
export interface Collection<T> {
  /** Its path below the base URL. */
  readonly path: string;
  decode(raw: object): T;
  /** The list parameters that find what has a key; nothing where a server's search may miss it. */
  search(key: unknown): Readonly<Record<string, string>> | undefined;
}

interface Ask<T> {
  readonly id: string;
  readonly agrees: (listed: T) => boolean;
  readonly resolve: (found: Promise<T | undefined> | T) => void;
}

/**
 * Reads the records of one collection for many who ask at once: from as few list pages as will do, and never for
 * more than one request a record and two. A list may lie: it is believed where it says what the asker expects,
 * and every other record is asked for by itself.
 */
export class Inventory<T extends { readonly id: string | undefined }> {
  private readonly listing: Listing<T>;
  private asks: Ask<T>[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** What pages have cost, and the asks that they have answered. */
  private spent = 0;
  private answered = 0;
  /** Somebody has asked before: where there are two, there may be many. */
  private asked = false;
  private expected = 0;
  private looks = 0;
  /** Pages are read by one at a time. */
  private turn: Promise<unknown> = Promise.resolve();

  /** @param patience how long who asks first waits for the next, in milliseconds */
  constructor(
    private readonly api: Api,
    private readonly collection: Collection<T>,
    private readonly patience = TOGETHER,
  ) {
    this.listing = new Listing(api, collection.path, (raw) => collection.decode(raw));
  }

  /**
   * One record by a request of its own, or nothing if it is gone. A 404 alone proves nothing, since every wrong
   * address answers so: the same service must give a list, and to the key that was set first.
   */
  async show(id: string): Promise<T | undefined> {
    const request: Request = { method: "GET", path: `${this.collection.path}/${encodeURIComponent(id)}` };
    try {
      const answer = await this.api(request);
      return this.collection.decode(recordOf(request, answer));
    } catch (error) {
      if (!(error instanceof ApiError) || error.failure !== "missing") throw error;
      if (await this.inTurn(() => this.listing.proves())) return undefined;
      throw new ApiError(
        request,
        "unauthorised",
        "the service rejects the API key of the last update, and another key's word is not enough to hold the record to be gone; run the same command with --run-program",
      );
    }
  }

  /** A record is about to be asked for: who is the first of several is not taken for the only one. */
  expect(): void {
    this.expected += 1;
  }

  /** One record, from a list page where that `agrees` with what the asker expects, else as `show` has it. */
  async see(id: string, agrees: (listed: T) => boolean): Promise<T | undefined> {
    const listed = this.listed(id, agrees);
    if (listed !== undefined) return listed;
    return new Promise((resolve) => {
      clearTimeout(this.timer);
      this.asks.push({ id, agrees, resolve });
      const isFirst = !this.asked && this.expected === 0;
      this.timer = setTimeout(() => void this.answerTogether(), isFirst ? this.patience : TOGETHER);
    });
  }

  /**
   * Records among which are all that have this key, as far as the service says: the whole list, or what its
   * search finds, whichever costs less. What is `fresh` was asked for now.
   */
  async like(key: unknown, fresh = false): Promise<T[]> {
    const query = this.collection.search(key);
    if (fresh) {
      const found = query === undefined ? [] : await this.read(query);
      // Where a search is wrong, the list may be right.
      return found.length > 0 ? found : this.read({});
    }
    this.looks += 1;
    await this.inTurn(async () => {
      while (query === undefined ? this.listing.pagesLeft > 0 : this.isWorthReading())
        await this.listing.readNext();
    });
    return this.listing.whole ? this.listing.all() : this.read(query ?? {});
  }

  /** A record has been changed: what is known of it no longer holds. */
  forget(id: string): void {
    this.listing.forget(id);
  }

  /** A record was deleted. */
  remove(id: string): void {
    this.listing.remove(id);
  }

  /** How long the list is, its first page tells; the rest is read where it costs no more than the looks so far. */
  private isWorthReading(): boolean {
    const { pagesLeft, pagesRead } = this.listing;
    if (pagesLeft === 0) return false;
    return pagesRead === 0 || (Number.isFinite(pagesLeft) ? pagesLeft : pagesRead) <= this.looks;
  }

  private listed(id: string, agrees: (listed: T) => boolean): T | undefined {
    const listed = this.believed(id, agrees);
    if (listed !== undefined) this.answered += 1;
    return listed;
  }

  private believed(id: string, agrees: (listed: T) => boolean): T | undefined {
    const listed = this.listing.get(id);
    return listed !== undefined && agrees(listed) ? listed : undefined;
  }

  private async answerTogether(): Promise<void> {
    const asks = this.asks;
    this.asks = [];
    const alone = asks.length === 1 && !this.asked && this.expected < 2;
    this.asked = true;
    // Where the list can't be had, each asks for itself and is told why.
    if (!alone) await this.inTurn(() => this.readFor(asks)).catch(() => {});
    for (const { id, agrees, resolve } of asks) resolve(this.listed(id, agrees) ?? this.show(id));
  }

  /** Reads pages as long as those read so far have spared what they cost, first those that are sought. */
  private async readFor(asks: readonly Ask<T>[]): Promise<void> {
    for (;;) {
      const missing = asks.filter(({ id, agrees }) => this.believed(id, agrees) === undefined);
      const credit = this.answered + asks.length - missing.length + SLACK - this.spent;
      const { pagesLeft } = this.listing;
      const sought = missing.map(({ id }) => this.listing.pageFor(id)).find((page) => page !== undefined);
      // The rest is read at once where it is paid for, before deletes move it.
      if (credit <= 0 || pagesLeft === 0 || (sought === undefined && pagesLeft > credit)) return;
      this.spent += 1;
      await this.listing.readNext(sought);
    }
  }

  private async read(query: Readonly<Record<string, string>>): Promise<T[]> {
    const raw = await readPages(this.api, this.collection.path, { ...query, ...OLDEST_FIRST });
    return raw.map((each) => this.collection.decode(each));
  }

  private inTurn<R>(work: () => Promise<R>): Promise<R> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => {});
    return done;
  }
}
