import { Ahead } from "./ahead";
import type { Api } from "./api";
import { OLDEST_FIRST, readPage } from "./pages";

/** How long what was read of a list serves, in milliseconds. */
const FRESH = 120_000;
/** Where a list claims to have more pages than anybody has records. */
const MAX_PAGES = 10_000;

/**
 * The records of a collection as far as its list was read: page by page, oldest first, and before their turn the
 * pages that are likely to show what is sought.
 */
export class Listing<T extends { readonly id: string | undefined }> {
  /** What the pages say of a record, as long as it holds. */
  private readonly known = new Map<string, T>();
  /** The records before the next page, as last known. */
  private readonly front = new Map<string, T>();
  private readonly ahead = new Ahead<T>();
  private startedAt = Number.POSITIVE_INFINITY;
  private read = 0;
  private unread = Number.POSITIVE_INFINITY;
  /** How many pages the service says there are. */
  private pages = Number.POSITIVE_INFINITY;
  /** Records a page. */
  private size = 1;
  /** Records before the next page, without those that were deleted since they were read. */
  private position = 0;
  /** How many the service says there are; no number where it does not say. */
  private total = Number.NaN;
  /** Something may have slipped from a page not yet read to one that was. */
  private slipped = false;
  private proof = false;
  /** What this run is deleting: a page may still have it or not. */
  private readonly leaving = new Set<string>();
  private deletions = 0;
  /** What this run has changed or deleted while a page was on its way. */
  private readonly meanwhile = new Set<string>();

  constructor(
    private readonly api: Api,
    private readonly path: string,
    private readonly decode: (raw: object) => T,
  ) {}

  /** Pages read since the list was begun. */
  get pagesRead(): number {
    this.expire();
    return this.read;
  }

  /** Pages not read yet; without end where nobody knows. */
  get pagesLeft(): number {
    this.expire();
    return this.unread;
  }

  /** Whether nothing can be missing: it was read to its end, has as many as it says, and nothing has slipped. */
  get whole(): boolean {
    return this.pagesLeft === 0 && !this.slipped && !(this.front.size < this.total);
  }

  /** A record that some page has shown, and that was not forgotten. */
  get(id: string): T | undefined {
    this.expire();
    return this.known.get(id);
  }

  /** Every record up to the next page, as last known. */
  all(): T[] {
    this.expire();
    return [...this.front.values()];
  }

  /** Whether the service gives a list, and to the key that was set first. */
  async proves(): Promise<boolean> {
    if (this.pagesRead === 0) await this.readNext();
    return this.proof;
  }

  /** The unread page that is likely to show a record; none where a page that was read would have shown it. */
  pageFor(id: string): number | undefined {
    if (this.pagesLeft === 0) return undefined;
    const { next, pages, size } = this;
    return this.ahead.pageFor(id, next, { pages, size });
  }

  /** Reads the next page, or the one that is wanted. */
  async readNext(wanted?: number): Promise<void> {
    this.expire();
    const { next, startedAt, deletions } = this;
    const number = this.read === 0 ? next : (wanted ?? next);
    const leaving = this.leaving.size > 0;
    this.meanwhile.clear();
    const page = await readPage(this.api, this.path, { ...OLDEST_FIRST, page: String(number) });
    // The list may have been begun anew.
    if (this.startedAt !== startedAt) return;
    const records = page.records.map((raw) => this.decode(raw));
    const { total = Number.NaN, lastPage = Number.POSITIVE_INFINITY } = page;
    if (this.read === 0) {
      this.startedAt = Date.now();
      this.size = Math.max(1, records.length);
      this.ahead.begin(records);
    } else if (!Object.is(total, this.total) || lastPage !== this.pages) this.ahead.move();
    if (total < this.total || leaving || this.deletions > deletions) this.slipped = true;
    this.total = total;
    this.pages = lastPage;
    this.proof = !page.spareKey;
    for (const record of records)
      if (record.id !== undefined && !this.meanwhile.has(record.id)) this.known.set(record.id, record);
    if (number === next) this.pass(number, records);
    else this.ahead.keep(number, records);
    this.read += 1;
    this.reckon();
  }

  /** A record has been changed: what is known of it no longer holds. */
  forget(id: string): void {
    this.meanwhile.add(id);
    this.known.delete(id);
  }

  /** A record has been changed to this. */
  learn(record: T): void {
    if (record.id !== undefined && this.front.has(record.id)) this.front.set(record.id, record);
  }

  /** A record is about to be deleted. */
  leave(id: string): void {
    this.leaving.add(id);
    this.deletions += 1;
  }

  /** A record was deleted: those after it move up. */
  remove(id: string): void {
    this.forget(id);
    this.leaving.delete(id);
    this.deletions += 1;
    if (this.front.delete(id)) this.position = Math.max(0, this.position - 1);
    this.ahead.move();
    this.total -= 1;
    this.reckon();
  }

  /** The next page, and those after it that were read before their turn. */
  private pass(number: number, records: readonly T[]): void {
    const before = this.front.size;
    this.add(records);
    const ended = this.front.size === before || this.read + 1 >= MAX_PAGES;
    this.ahead.pass(records);
    this.position = number * this.size;
    for (let kept = this.ahead.take(this.next); kept !== undefined; kept = this.ahead.take(this.next)) {
      this.add(kept);
      this.position += this.size;
    }
    if (!ended) return;
    this.unread = 0;
    this.slipped ||= Number.isFinite(this.pages) && number < this.pages;
  }

  private add(records: readonly T[]): void {
    for (const record of records) this.front.set(record.id ?? `nameless ${this.front.size}`, record);
  }

  /** What was read to its end stays so. */
  private reckon(): void {
    if (this.unread > 0) this.unread = Math.max(0, this.pages - (this.next - 1) - this.ahead.size);
  }

  private get next(): number {
    return Math.floor(this.position / this.size) + 1;
  }

  private expire(): void {
    if (Date.now() - this.startedAt <= FRESH) return;
    this.known.clear();
    this.front.clear();
    this.read = 0;
    this.position = 0;
    this.pages = Number.POSITIVE_INFINITY;
    this.total = Number.NaN;
    this.slipped = false;
    this.unread = Number.POSITIVE_INFINITY;
    this.startedAt = Number.POSITIVE_INFINITY;
  }
}
