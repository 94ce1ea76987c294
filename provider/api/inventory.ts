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
  private proof: Promise<boolean> | undefined;
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
      if (await this.proves()) return undefined;
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
      while (query === undefined ? this.listing.pagesLeft > 0 : this.isWorthReading()) {
        const { pagesRead } = this.listing;
        await this.listing.readNext();
        // It takes longer to read than it serves.
        if (this.listing.pagesRead <= pagesRead) return;
      }
    });
    return this.listing.whole ? this.listing.all() : this.read(query ?? {});
  }

  /** A record is changed: what is known of it no longer holds. */
  forget(id: string): void {
    this.listing.forget(id);
  }

  /** A record has been changed to this. */
  learn(record: T): void {
    this.listing.learn(record);
  }

  /** A record is about to be deleted. */
  leave(id: string): void {
    this.listing.leave(id);
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
    const listed = this.listing.get(id);
    if (listed === undefined || !agrees(listed)) return undefined;
    this.answered += 1;
    return listed;
  }

  private async answerTogether(): Promise<void> {
    const asks = this.asks;
    this.asks = [];
    const alone = asks.length === 1 && !this.asked && this.expected < 2;
    this.asked = true;
    const found = new Map<Ask<T>, T>();
    // Where the list can't be had, each asks for itself and is told why.
    if (!alone) await this.inTurn(() => this.readFor(asks, found)).catch(() => {});
    for (const ask of asks)
      ask.resolve(found.get(ask) ?? this.listed(ask.id, ask.agrees) ?? this.show(ask.id));
  }

  /** Reads pages as long as those read so far have spared what they cost, first those that are sought. */
  private async readFor(asks: readonly Ask<T>[], found: Map<Ask<T>, T>): Promise<void> {
    for (;;) {
      for (const ask of asks) {
        const listed = found.has(ask) ? undefined : this.listed(ask.id, ask.agrees);
        if (listed !== undefined) found.set(ask, listed);
      }
      const missing = asks.filter((ask) => !found.has(ask));
      const credit = this.answered + SLACK - this.spent;
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

  /** Those who ask at the same time share one proof. */
  private proves(): Promise<boolean> {
    this.proof ??= this.inTurn(() => {
      if (this.listing.pagesRead === 0) this.spent += 1;
      return this.listing.proves();
    }).finally(() => {
      this.proof = undefined;
    });
    return this.proof;
  }

  private inTurn<R>(work: () => Promise<R>): Promise<R> {
    const done = this.turn.then(work);
    this.turn = done.catch(() => {});
    return done;
  }
}
