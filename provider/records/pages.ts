import { type Api, ApiError, type Evidence, type Request } from "../api/api";
import { decode, type RemoteRecord } from "../schema/codec";
import type { Resource } from "../schema/resource";
import { parseList } from "./envelope";

/** The order in which records that are added meanwhile come last. */
export const OLDEST_FIRST = { sort_by: "id", sort: "asc" };
/** How many records the interface allows on a page. */
const MAX_PAGE_SIZE = 100;
const MIN_PAGE_SIZE = 10;
/** How many pages are read of a list, which may have no end. */
const MAX_PAGES = 500;
const MAX_ROUNDS = 3;
/** How many pages are asked for at once, if the rate limiter sends that many. */
const MAX_SIDE_BY_SIDE = 16;
/** The same until two pages have differed: all but one of them are in vain if the server ignores `page`. */
const MAX_UNPROVEN = 4;

/** The part of a list that was read, since its first page was asked for. */
export interface List extends Evidence {
  /** Each record once. */
  readonly records: readonly RemoteRecord[];
  /** Whether the list is provably complete: as many as `total`, an empty page, or one shorter than the first. */
  readonly complete: boolean;
  /** How many records the list got while it was read; `Infinity` if it changed in another way. */
  readonly grown: number;
  /** How many requests the whole list would take; `Infinity` if the server returns no more. */
  readonly cost: number;
}

/** A page that was read. */
interface Page extends Omit<ReturnType<typeof parseList>, "records" | "lastPage"> {
  readonly lastPage: number;
  readonly size: number;
  /** How many of its records no page before had. */
  readonly added: number;
}

/** How a list is read. */
interface Reading {
  readonly mayContinue?: (pagesLeft: number) => boolean;
  readonly onRecord?: (record: RemoteRecord) => void;
}

/** The pages of a list from its first one on. */
type Pages = readonly [Page, ...Page[]];

/** Whether a page shows nothing but what pages before it have, as each page of a server that ignores `page`. */
const repeats = ({ added, size }: Page) => added === 0 && size > 0;

/** Whether `total` may count this page alone, as PHP's `count($records)` does: it is at most a full page. */
function mayCountPage({ size, perPage = MIN_PAGE_SIZE, total = 0 }: Page): boolean {
  return size >= perPage && total <= size;
}

/** How many records the list has, if its first page says so. What may count that page alone proves nothing of the others. */
function totalOf(first: Page): number | undefined {
  return mayCountPage(first) ? undefined : first.total;
}

/** Whether so many different records of these pages are provably all of the list. */
function isComplete(pages: Pages, recordCount: number): boolean {
  const [first] = pages;
  const last = pages.at(-1) ?? first;
  const total = totalOf(first);
  if (total !== undefined) return recordCount >= total;
  const isShort = last.size < (last === first ? 1 : first.size);
  return isShort && !repeats(last) && pages.length >= first.lastPage;
}

function pagesLeft({ 0: first, length }: Pages): number {
  const total = totalOf(first);
  const expected = Math.max(first.lastPage, Math.ceil((total ?? 0) / Math.max(1, first.size)));
  return Math.max(1, expected - length) + (total === undefined ? 2 : 1);
}

/** How many pages to ask for at once: several if it is known how many there are, unless the server ignores `page`. */
function sideBySide(pages: Pages): number {
  const [first, second] = pages;
  const total = totalOf(first);
  const isProven = second?.added === first.size;
  if (total === undefined || (second !== undefined && !isProven)) return 1;
  const expected = Math.min(MAX_PAGES, Math.ceil(total / first.size));
  return Math.max(1, Math.min(isProven ? MAX_SIDE_BY_SIDE : MAX_UNPROVEN, expected - pages.length));
}

/** Whether the second page was skipped: a server that counts pages from 0, as Spring does, shows its third one for `page=2`. */
function mayHaveSkipped(pages: Pages, recordCount: number): boolean {
  const [first] = pages;
  if (pages.length === 1 || repeats(pages.at(-1) ?? first) || first.number === 1) return false;
  return totalOf(first) === undefined || !isComplete(pages, recordCount);
}

/** How many records a later page counts more than the first one; `Infinity` if it does not show the same list. */
function growthUntil(later: Page, first: Page): number {
  const countsPage = mayCountPage(first) && later.total === later.size;
  const more = countsPage ? 0 : (later.total ?? 0) - (first.total ?? 0);
  const isSameList = [0, later.size].includes(later.added) && (more > 0 || later.lastPage === first.lastPage);
  return isSameList && more >= 0 ? more : Number.POSITIVE_INFINITY;
}

/** A server that refuses the parameter `page` has one page only. */
function asRepeated(first: Page, error: unknown): Page {
  if (error instanceof ApiError && [400, 422].includes(error.details.status ?? 0))
    return { ...first, added: 0 };
  throw error;
}

/**
 * Reads a list page by page. It never follows `links`: Laravel behind a front server that ends TLS may write `http://` there.
 * `last_page` proves nothing, and neither does a repeated page, since a server may ignore `page`. If `total` says how many
 * records there are, pages are read side by side, few until two of them differ: one after another, ten take a second of a
 * service that is 100 ms away.
 *
 * @param reading `mayContinue`: whether this many more pages may be read; `onRecord` takes each record when its page has come
 */
export async function readOnce(
  api: Api,
  resource: Resource,
  query: Request["query"],
  reading: Reading = {},
): Promise<List> {
  const { mayContinue = () => true, onRecord } = reading;
  const pageSize = Number(query?.per_page ?? MAX_PAGE_SIZE);
  const records = new Map<string, RemoteRecord>();
  let evidence: Evidence = {};
  const request = async (parameters?: Request["query"]) => {
    const pageQuery = { ...query, per_page: `${pageSize}`, ...parameters };
    const pageRequest: Request = { method: "GET", path: resource.path, alwaysExists: true, query: pageQuery };
    const answer = await api(pageRequest);
    return { askedAt: answer.askedAt, answeredAt: answer.answeredAt, ...parseList(pageRequest, answer) };
  };
  const add = (answer: Awaited<ReturnType<typeof request>>): Page => {
    const { askedAt, answeredAt, records: sent, lastPage = 1, ...page } = answer;
    evidence = { askedAt: evidence.askedAt ?? askedAt, answeredAt };
    const before = records.size;
    for (const raw of sent) {
      const record = decode(resource, raw);
      // A record without an id is identified by its text: otherwise a page that repeats forever would be read forever.
      records.set(record.id ?? JSON.stringify(raw), record);
      onRecord?.(record);
    }
    return { ...page, size: sent.length, added: records.size - before, lastPage };
  };
  const read = async (parameters?: Request["query"]) => add(await request(parameters));

  // 1. The first page, without its number: that is 1 for Laravel, 0 for others.
  const first = await read();
  const pages: [Page, ...Page[]] = [first];
  const laterPages: Page[] = [];
  const listOf = (complete: boolean, cost = Number.POSITIVE_INFINITY): List => {
    const grown = Math.max(0, ...laterPages.map((page) => growthUntil(page, first)));
    return { ...evidence, records: [...records.values()], complete, grown, cost };
  };

  // 2. The next ones, until the list is complete, or a page has nothing new. Those that are asked for side by side count one
  // after the other: a failure or a repeated page ends the list as it would alone.
  let last = first;
  const ahead: ReturnType<typeof request>[] = [];
  while (last.added > 0 && !isComplete(pages, records.size)) {
    const left = pagesLeft(pages);
    if (pages.length >= MAX_PAGES || !mayContinue(left - ahead.length))
      return listOf(false, pages.length + Math.max(left, pages.length));
    const next = ahead.shift() ?? request({ page: `${pages.length + 1}` });
    for (const count = sideBySide(pages) - 1; ahead.length < count; ) {
      const later = request({ page: `${pages.length + ahead.length + 2}` });
      // Its error is thrown when it is its turn, if that comes.
      later.catch(() => {});
      ahead.push(later);
    }
    last = await next.then(add).catch((error) => asRepeated(first, error));
    pages.push(last);
    laterPages.push(last);
  }

  // 3. The second page of a server that counts from 0.
  if (mayHaveSkipped(pages, records.size)) laterPages.push(await read({ page: "1" }));
  if (pages.length !== 2 || !repeats(last) || totalOf(first) !== undefined)
    return listOf(isComplete(pages, records.size));

  // 4. The one page of a server that ignores or refuses `page`: the largest that it gives. If no page can be smaller, or a
  // smaller one has fewer records, it is all that the server has.
  if (pageSize < MAX_PAGE_SIZE)
    return readOnce(api, resource, { ...query, per_page: `${MAX_PAGE_SIZE}` }, reading);
  const { size } = first;
  if (size < MIN_PAGE_SIZE) return listOf(true);
  return listOf(size < MAX_PAGE_SIZE && (await read({ per_page: `${MIN_PAGE_SIZE}` })).size < size);
}

/** Reads all of a list. If the list changes meanwhile, so that a record may be missed, it is read again. */
export async function readPages(api: Api, resource: Resource, query: Request["query"]): Promise<List> {
  for (let round = 1; ; round += 1) {
    const list = await readOnce(api, resource, query);
    if (list.grown === 0 || round === MAX_ROUNDS) return list;
  }
}
