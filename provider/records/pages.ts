import { type Api, ApiError, type Evidence, type Request } from "../api/api";
import { getOwn } from "../api/json";
import { parseId } from "../schema/codec";
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
  readonly records: readonly object[];
  /** Whether the list is provably complete: as many as `total`, an empty page, or one shorter than the first. */
  readonly complete: boolean;
  /** How many records the list got while it was read; `Infinity` if it changed in another way. */
  readonly grown: number;
  /** How many requests the whole list would take; `Infinity` if the server returns no more. */
  readonly cost: number;
}

/** Reads all of a list. If the list changes meanwhile, so that a record may be missed, it is read again. */
export async function readPages(api: Api, path: string, query: Request["query"]): Promise<List> {
  for (let round = 1; ; round += 1) {
    const list = await readOnce(api, path, query);
    if (list.grown === 0 || round === MAX_ROUNDS) return list;
  }
}

/** A page that was read. */
interface Page extends Omit<ReturnType<typeof parseList>, "records" | "lastPage"> {
  readonly lastPage: number;
  readonly size: number;
  /** How many of its records no page before had. */
  readonly added: number;
}

/**
 * Reads a list page by page. It never follows `links`, since behind a proxy they may lead elsewhere. `last_page` proves
 * nothing, and neither does a repeated page, since some servers ignore `page`. If `total` says how many there are, pages are
 * read side by side, few until two of them differ: one after another, ten take a second of a service that is 100 ms away.
 *
 * @param mayContinue whether this many more pages may be read
 */
export async function readOnce(
  api: Api,
  path: string,
  query: Request["query"],
  mayContinue: (pagesLeft: number) => boolean = () => true,
): Promise<List> {
  const found = new Map<string, object>();
  let evidence: Evidence = {};
  const pageSize = Number(query?.per_page ?? MAX_PAGE_SIZE);
  const ask = async (more?: Request["query"]) => {
    const asked = { ...query, per_page: `${pageSize}`, ...more };
    const request: Request = { method: "GET", path, alwaysExists: true, query: asked };
    const answer = await api(request);
    return { askedAt: answer.askedAt, answeredAt: answer.answeredAt, ...parseList(request, answer) };
  };
  const add = ({
    askedAt,
    answeredAt,
    records,
    lastPage = 1,
    ...page
  }: Awaited<ReturnType<typeof ask>>): Page => {
    evidence = { askedAt: evidence.askedAt ?? askedAt, answeredAt };
    const before = found.size;
    // A record without an id is identified by its text: otherwise a page that repeats forever would be read forever.
    for (const record of records) found.set(parseId(getOwn(record, "id")) ?? JSON.stringify(record), record);
    return { ...page, size: records.length, added: found.size - before, lastPage };
  };
  const read = async (more?: Request["query"]) => add(await ask(more));
  // Without a page number, since some servers count from 0.
  const first = await read();
  let last = first;
  const pages: [Page, ...Page[]] = [first];
  const skipped: Page[] = [];
  const list = (complete: boolean, cost = Number.POSITIVE_INFINITY): List => {
    const later = [...pages, ...skipped].filter((each) => each !== first);
    const grown = Math.max(0, ...later.map((each) => growth(each, first)));
    return { ...evidence, records: [...found.values()], complete, grown, cost };
  };
  const ahead: ReturnType<typeof ask>[] = [];
  while (last.added > 0 && !isComplete(pages, found.size)) {
    const left = pagesLeft(pages);
    if (pages.length >= MAX_PAGES || !mayContinue(left - ahead.length))
      return list(false, pages.length + Math.max(left, pages.length));
    // Pages that are asked for side by side count one after the other: a failure or a repeated page ends the list as it would alone.
    const next = ahead.shift() ?? ask({ page: `${pages.length + 1}` });
    for (const count = sideBySide(pages) - 1; ahead.length < count; ) {
      const later = ask({ page: `${pages.length + ahead.length + 2}` });
      // Its error is thrown when it is its turn, if that comes.
      later.catch(() => {});
      ahead.push(later);
    }
    last = await next.then(add).catch((error) => asRepeated(first, error));
    pages.push(last);
  }
  if (mayHaveSkipped(pages, found.size)) skipped.push(await read({ page: "1" }));
  if (pages.length !== 2 || !repeats(last) || totalOf(first) !== undefined)
    return list(isComplete(pages, found.size));
  // The server ignores or refuses `page`.
  if (pageSize < MAX_PAGE_SIZE)
    return readOnce(api, path, { ...query, per_page: `${MAX_PAGE_SIZE}` }, mayContinue);
  // If no page can be smaller, or if a smaller page has fewer records, the server returned all that it has.
  const { size } = first;
  return list(
    size < MIN_PAGE_SIZE ||
      (size < MAX_PAGE_SIZE && (await read({ per_page: `${MIN_PAGE_SIZE}` })).size < size),
  );
}

/** Whether the pages of a list from its first one on, which have so many records, are provably all of it. */
function isComplete(pages: readonly [Page, ...Page[]], found: number): boolean {
  const [first] = pages;
  const last = pages.at(-1) ?? first;
  const total = totalOf(first);
  if (total !== undefined) return found >= total;
  const isShort = last.size < (last === first ? 1 : first.size);
  return isShort && !repeats(last) && pages.length >= first.lastPage;
}

/** Whether a page shows nothing but what pages before it have. */
const repeats = ({ added, size }: Page) => added === 0 && size > 0;

function pagesLeft({ 0: first, length }: readonly [Page, ...Page[]]): number {
  const total = totalOf(first);
  const expected = Math.max(first.lastPage, Math.ceil((total ?? 0) / Math.max(1, first.size)));
  return Math.max(1, expected - length) + (total === undefined ? 2 : 1);
}

/** How many pages to ask for at once: several if it is known how many there are, unless the server ignores `page`. */
function sideBySide(pages: readonly [Page, ...Page[]]): number {
  const [first, second] = pages;
  const total = totalOf(first);
  const isProven = second?.added === first.size;
  if (total === undefined || (second !== undefined && !isProven)) return 1;
  const expected = Math.min(MAX_PAGES, Math.ceil(total / first.size));
  return Math.max(1, Math.min(isProven ? MAX_SIDE_BY_SIDE : MAX_UNPROVEN, expected - pages.length));
}

/** If the server counts pages from 0, the second one was skipped. */
function mayHaveSkipped(pages: readonly [Page, ...Page[]], found: number): boolean {
  const [first] = pages;
  if (pages.length === 1 || repeats(pages.at(-1) ?? first) || first.number === 1) return false;
  return totalOf(first) === undefined || !isComplete(pages, found);
}

/** The `total` of some servers counts only this page. Then it is at most a full page, and proves nothing. */
function totalOf(first: Page): number | undefined {
  return mayBeOfPage(first) ? undefined : first.total;
}

function mayBeOfPage({ size, perPage = MIN_PAGE_SIZE, total = 0 }: Page): boolean {
  return size >= perPage && total <= size;
}

/** How many records a later page counts more than the first one; `Infinity` if it does not show the same list. */
function growth(each: Page, first: Page): number {
  const isOfPage = mayBeOfPage(first) && each.total === each.size;
  const more = isOfPage ? 0 : (each.total ?? 0) - (first.total ?? 0);
  const isSame = [0, each.size].includes(each.added) && (more > 0 || each.lastPage === first.lastPage);
  return isSame && more >= 0 ? more : Number.POSITIVE_INFINITY;
}

/** A server that refuses the parameter `page` has one page only. */
function asRepeated(first: Page, error: unknown): Page {
  if (error instanceof ApiError && [400, 422].includes(error.details.status ?? 0))
    return { ...first, added: 0 };
  throw error;
}
