import { type Api, ApiError, listOf, member, type Request } from "./api";

/** The order in which what is added meanwhile comes last. */
export const OLDEST_FIRST = { sort_by: "id", sort: "asc" };
/** The largest and the smallest page that the interface allows. */
const LARGEST = 100;
const SMALLEST = 10;
const MAX_PAGES = 10_000;
const READINGS = 3;

/** What was read of a list. */
export interface List {
  /** Each record once. */
  readonly records: readonly object[];
  /** Nothing is missing, on proof: as many as the `total`, an empty page, or one that is shorter than the first. */
  readonly whole: boolean;
  /** It did not move while it was read. */
  readonly stable: boolean;
  /** There was no more to be had. */
  readonly ended: boolean;
  /** How many pages there are, as far as it is known. */
  readonly pages: number;
}

type Page = ReturnType<typeof listOf>;

/** All that a list gives. If it moves while it is read, so that a record may have slipped, it is read again. */
export async function readPages(api: Api, path: string, query: Request["query"]): Promise<List> {
  for (let reading = 1; ; reading += 1) {
    const list = await readOnce(api, path, query);
    if (list.stable || reading === READINGS) return list;
  }
}

/**
 * Reads a list page by page. `links` are never followed, since behind a proxy they may lead elsewhere; `last_page`
 * proves nothing, and neither does a page that repeats another, since a server may not know what a page is.
 *
 * @param goOn whether so many pages more may be read
 */
export async function readOnce(
  api: Api,
  path: string,
  query: Request["query"],
  goOn: (pagesLeft: number) => boolean = () => true,
): Promise<List> {
  const read = async (more?: Request["query"]): Promise<Page> => {
    const request: Request = {
      method: "GET",
      path,
      fixed: true,
      query: { per_page: `${LARGEST}`, ...query, ...more },
    };
    return listOf(request, await api(request));
  };
  const found = new Map<string, object>();
  // By its text, also where it has no id that tells it apart: or one page, sent for ever, would be read for ever.
  const add = ({ records }: Page): number => {
    const before = found.size;
    for (const record of records) found.set(JSON.stringify(member(record, "id") ?? record), record);
    return found.size - before;
  };
  // Without a number, since some count from 0.
  const first = await read();
  const { total, lastPage = 1 } = first;
  const size = first.records.length;
  const said = Math.max(lastPage, Math.ceil((total ?? 0) / Math.max(1, size)));
  let [page, fresh, number, stable] = [first, add(first), 1, true];
  const list = (whole: boolean, ended = true): List => {
    const pages = ended ? number : said > 1 ? said : 2 * number;
    return { records: [...found.values()], whole, stable, ended, pages };
  };
  const isShort = () => page.records.length < (number === 1 ? SMALLEST : size) && number >= lastPage;
  while (!(fresh === 0 || (total === undefined ? isShort() : found.size >= total))) {
    if (number >= MAX_PAGES || !goOn(Math.max(1, said - number) + (total === undefined ? 2 : 1)))
      return list(false, false);
    number += 1;
    page = await read({ page: `${number}` }).catch((error: unknown) => {
      // It does not know the parameter, and says so.
      if (error instanceof ApiError && [400, 422].some((status) => status === error.said.status))
        return first;
      throw error;
    });
    fresh = add(page);
    stable &&=
      page.total === total && (page.lastPage ?? 1) === lastPage && [0, page.records.length].includes(fresh);
  }
  if (number === 1) return list(total === undefined ? isShort() : found.size >= total);
  const repeats = fresh === 0 && page.records.length > 0;
  if (total === undefined ? !repeats : !repeats && found.size < total) {
    // Where pages are counted from 0, the second has been left out.
    const second = await read({ page: "1" });
    stable &&= [0, second.records.length].includes(add(second));
  }
  if (total !== undefined || !repeats || number > 2)
    return list(total === undefined ? !repeats && isShort() : found.size >= total);
  if (Number(query?.per_page ?? LARGEST) < LARGEST)
    return readOnce(api, path, { ...query, per_page: `${LARGEST}` }, goOn);
  // A server that gives fewer where it is asked for fewer has given all that it has.
  return list(size < LARGEST && (await read({ per_page: `${SMALLEST}` })).records.length < size);
}
