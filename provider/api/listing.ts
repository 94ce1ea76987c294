import type { Api } from "./api";
import { OLDEST_FIRST, readPage } from "./pages";

/** How long what was read of a list serves, in milliseconds. */
const FRESH = 120_000;
/** Where a list claims to have more pages than anybody has records. */
const MAX_PAGES = 10_000;

/** The records of a collection as far as its list was read: page by page, oldest first. */
export class Listing<T extends { readonly id: string | undefined }> {
  private readonly records = new Map<string, T>();
  private startedAt = Number.POSITIVE_INFINITY;
  private read = 0;
  private unread = Number.POSITIVE_INFINITY;
  /** Records a page. */
  private size = 1;
  /** Records before the next page, without those that were deleted since they were read. */
  private position = 0;
  /** How many the service says there are; no number where it does not say. */
  private total = Number.NaN;
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
    return this.records.get(id);
  }

  /** Every record that was read. */
  all(): T[] {
    this.expire();
    return [...this.records.values()];
  }

  /** Whether the service gives a list, and to the key that was set first. */
  async proves(): Promise<boolean> {
    if (this.pagesRead === 0) await this.readNext();
    return this.proof;
  }

  /** Reads the next page. */
  async readNext(): Promise<void> {
    this.expire();
    const number = Math.floor(this.position / this.size) + 1;
    const page = await readPage(this.api, this.path, { ...OLDEST_FIRST, page: String(number) });
    const { total = Number.NaN } = page;
    if (this.read === 0) {
      this.startedAt = Date.now();
      this.size = Math.max(1, page.records.length);
    } else if (total < this.total) {
      this.shrunk = true;
    }
    this.total = total;
    const before = this.records.size;
    for (const raw of page.records) {
      const record = this.decode(raw);
      this.records.set(record.id ?? `nameless ${this.records.size}`, record);
    }
    this.read += 1;
    this.proof = !page.spareKey;
    this.position = number * this.size;
    const ended = this.records.size === before || this.read >= MAX_PAGES;
    this.unread = ended ? 0 : Math.max(0, (page.lastPage ?? Number.POSITIVE_INFINITY) - number);
  }

  /** What is known of a record no longer holds. */
  forget(id: string): void {
    this.records.delete(id);
  }

  /** A record was deleted: those after it move up. */
  remove(id: string): void {
    if (this.records.delete(id)) this.position = Math.max(0, this.position - 1);
    this.total -= 1;
  }

  private expire(): void {
    if (Date.now() - this.startedAt <= FRESH) return;
    this.records.clear();
    this.read = 0;
    this.position = 0;
    this.shrunk = false;
    this.unread = Number.POSITIVE_INFINITY;
    this.startedAt = Number.POSITIVE_INFINITY;
  }
}
