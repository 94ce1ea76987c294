import { pageFor, rises, type Stretch, stretchOf } from "./reach";

interface Page<T> {
  readonly stretch: Stretch;
  readonly records: readonly T[];
}

/**
 * Pages of a list that were read before their turn, since they were likely to show what was sought: as long as ids
 * rise from page to page, those on the pages that were read tell about where another is.
 */
export class Ahead<T extends { readonly id: string | undefined }> {
  /** From the list's beginning, page by page; none where ids tell nothing. */
  private front: Stretch | undefined;
  private readonly pages = new Map<number, Page<T>>();

  /** How many pages, without those that have moved since. */
  get size(): number {
    return this.pages.size;
  }

  /**
   * The page that is likely to show a record; the next one where ids tell nothing. None where a page that was read
   * would have shown it.
   *
   * @param next the number of the first page that was not read
   * @param list how many pages there are, and records a page
   */
  pageFor(id: string, next: number, list: { pages: number; size: number }): number | undefined {
    const sought = Number(id);
    if (this.front === undefined || !Number.isFinite(list.pages) || !Number.isSafeInteger(sought))
      return next;
    return pageFor(sought, [{ ...this.front, lastPage: next - 1 }, ...this.stretches], list);
  }

  /** The list begins with this page. */
  begin(records: readonly T[]): void {
    this.pages.clear();
    this.front = stretchOf(1, idsOf(records));
  }

  /** The next page has been read in its turn. */
  pass(records: readonly T[]): void {
    const page = stretchOf(1, idsOf(records));
    const { front } = this;
    const joins = front !== undefined && page !== undefined && page.lastId >= front.lastId;
    this.front = joins ? { ...front, lastId: page.lastId } : undefined;
    this.check();
  }

  /** A page was read before its turn. */
  keep(number: number, records: readonly T[]): void {
    const stretch = stretchOf(number, idsOf(records));
    if (stretch === undefined) this.front = undefined;
    else this.pages.set(number, { stretch, records });
    this.check();
  }

  /** The records of a page whose turn has come. */
  take(number: number): readonly T[] | undefined {
    const page = this.pages.get(number);
    if (page === undefined) return undefined;
    this.pages.delete(number);
    this.pass(page.records);
    return page.records;
  }

  /** The list has moved: the pages are no longer where they were. */
  move(): void {
    this.pages.clear();
  }

  private get stretches(): Stretch[] {
    const all = [...this.pages.values()].map(({ stretch }) => stretch);
    return all.sort((one, other) => one.firstPage - other.firstPage);
  }

  /** Where ids do not rise after all, the pages may be anywhere. */
  private check(): void {
    if (this.front !== undefined && rises([this.front, ...this.stretches])) return;
    this.front = undefined;
    this.pages.clear();
  }
}

function idsOf(records: readonly { readonly id: string | undefined }[]): (string | undefined)[] {
  return records.map(({ id }) => id);
}
