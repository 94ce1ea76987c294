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
  private readonly records = new Map<string, T>();
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
  /** How many this run has deleted. */
  private removed = 0;
  private shrunk = false;
  private proof = false;

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

  /** Whether nothing can be missing: it was read to its end, and nothing slipped to a page that had been read. */
  get whole(): boolean {
    return this.pagesLeft === 0 && !this.shrunk;
  }

  /** A record that was read and not forgotten. */
  get(id: string): T | undefined {
    this.expire();
    return this.records.get(id) ?? this.ahead.get(id);
  }

  /** Every record that was read, up to the next page. */
  all(): T[] {
    this.expire();
    return [...this.records.values()];
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
    const { next, removed } = this;
    const number = this.read === 0 ? next : (wanted ?? next);
    const page = await readPage(this.api, this.path, { ...OLDEST_FIRST, page: String(number) });
    const { total = Number.NaN } = page;
    const records = page.records.map((raw) => this.decode(raw));
    if (this.read === 0) {
      this.startedAt = Date.now();
      this.size = Math.max(1, records.length);
      this.ahead.begin(records);
    }
    // Of what was deleted while a page was on its way, nobody knows whether the page still has it.
    if (total < this.total || this.removed > removed) this.slip();
    this.total = total;
    this.proof = !page.spareKey;
    this.pages = page.lastPage ?? Number.POSITIVE_INFINITY;
    if (number === next) this.append(number, records);
    else this.ahead.keep(number, records);
    this.read += 1;
    this.reckon();
  }

  /** What is known of a record no longer holds. */
  forget(id: string): void {
    this.records.delete(id);
    this.ahead.forget(id);
  }

  /** A record was deleted: those after it move up. */
  remove(id: string): void {
    if (this.records.delete(id)) this.position = Math.max(0, this.position - 1);
    this.ahead.forget(id);
    this.ahead.move();
    this.total -= 1;
    this.removed += 1;
    this.reckon();
  }

  /** The next page, and those after it that were read before their turn. */
  private append(number: number, records: readonly T[]): void {
    const before = this.records.size;
    this.add(records);
    const ended = this.records.size === before || this.read + 1 >= MAX_PAGES;
    this.ahead.pass(records);
    this.position = number * this.size;
    for (let kept = this.ahead.take(this.next); kept !== undefined; kept = this.ahead.take(this.next)) {
      this.add(kept);
      this.position += this.size;
    }
    if (ended) this.unread = 0;
  }

  private add(records: readonly T[]): void {
    for (const record of records) this.records.set(record.id ?? `nameless ${this.records.size}`, record);
  }

  private slip(): void {
    this.shrunk = true;
    this.ahead.move();
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
    this.records.clear();
    this.ahead.end();
    this.read = 0;
    this.position = 0;
    this.total = Number.NaN;
    this.shrunk = false;
    this.unread = Number.POSITIVE_INFINITY;
    this.startedAt = Number.POSITIVE_INFINITY;
  }
}
