import { type Api, ApiError, type Request } from "../api/api";
import { getOwn } from "../api/json";
import { parseList } from "./envelope";

/** The order in which records that are added meanwhile come last. */
export const OLDEST_FIRST = { sort_by: "id", sort: "asc" };
/** The largest and the smallest page that the interface allows. */
const MAX_PAGE_SIZE = 100;
const MIN_PAGE_SIZE = 10;
const MAX_PAGES = 10_000;
const MAX_READINGS = 3;

/** The part of a list that was read. */
export interface List {
  /** Each record once. */
  readonly records: readonly object[];
  /** Whether the list is provably complete: as many as `total`, an empty page, or one shorter than the first. */
  readonly complete: boolean;
  /** Whether the list stayed the same during the reading. */
  readonly stable: boolean;
  /** How many requests the whole list would take; `Infinity` if the server returns no more. */
  readonly cost: number;
}

/** Reads all of a list. If the list changes meanwhile, so that a record may be missed, it is read again. */
export async function readPages(api: Api, path: string, query: Request["query"]): Promise<List> {
  for (let reading = 1; ; reading += 1) {
    const list = await readOnce(api, path, query);
    if (list.stable || reading === MAX_READINGS) return list;
  }
}

/**
 * Reads a list page by page. It never follows `links`, since behind a proxy they may lead elsewhere. `last_page` proves
 * nothing, and neither does a repeated page, since some servers ignore `page`.
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
  const read = async (more?: Request["query"]) => {
    const asked = { per_page: `${MAX_PAGE_SIZE}`, ...query, ...more };
    const request: Request = { method: "GET", path, alwaysExists: true, query: asked };
    const { records, lastPage = 1, ...page } = parseList(request, await api(request));
    const before = found.size;
    // A record without an id is identified by its text: otherwise a page that repeats forever would be read forever.
    for (const record of records) found.set(JSON.stringify(getOwn(record, "id") ?? record), record);
    return { ...page, size: records.length, fresh: found.size - before, lastPage };
  };
  // Without a page number, since some servers count from 0.
  const first = await read();
  const { size, lastPage } = first;
  // The `total` of some servers counts only this page. Then it is at most a full page, and proves nothing.
  const mayBeOfPage = size >= (first.perPage ?? MIN_PAGE_SIZE) && (first.total ?? 0) <= size;
  const total = mayBeOfPage ? undefined : first.total;
  const expectedPages = Math.max(lastPage, Math.ceil((total ?? 0) / Math.max(1, size)));
  let [page, number, stable] = [first, 1, true];
  const list = (complete: boolean, cost = Number.POSITIVE_INFINITY): List => ({
    records: [...found.values()],
    complete,
    stable,
    cost,
  });
  const fits = (each: typeof first) =>
    (each.total === first.total || (mayBeOfPage && each.total === each.size)) &&
    each.lastPage === lastPage &&
    [0, each.size].includes(each.fresh);
  const isComplete = () =>
    total === undefined ? page.size < (number === 1 ? 1 : size) && number >= lastPage : found.size >= total;
  while (page.fresh > 0 && !isComplete()) {
    const left = Math.max(1, expectedPages - number) + (total === undefined ? 2 : 1);
    if (number >= MAX_PAGES || !mayContinue(left)) return list(false, number + Math.max(left, number));
    number += 1;
    page = await read({ page: `${number}` }).catch((error: unknown) => {
      // The server refuses the parameter `page`.
      if (error instanceof ApiError && [400, 422].includes(error.details.status ?? 0))
        return { ...first, fresh: 0 };
      throw error;
    });
    stable &&= fits(page);
  }
  const repeats = page.fresh === 0 && page.size > 0;
  if (number > 1 && !repeats && first.number !== 1 && (total === undefined || !isComplete())) {
    // If the server counts pages from 0, the second one was skipped.
    const second = await read({ page: "1" });
    stable &&= fits(second);
  }
  if (total !== undefined || !repeats || number > 2)
    return list(isComplete() && (total !== undefined || !repeats));
  if (Number(query?.per_page ?? MAX_PAGE_SIZE) < MAX_PAGE_SIZE)
    return readOnce(api, path, { ...query, per_page: `${MAX_PAGE_SIZE}` }, mayContinue);
  // If no page can be smaller, or if a smaller page has fewer records, the server returned all that it has.
  return list(
    size < MIN_PAGE_SIZE ||
      (size < MAX_PAGE_SIZE && (await read({ per_page: `${MIN_PAGE_SIZE}` })).size < size),
  );
}
