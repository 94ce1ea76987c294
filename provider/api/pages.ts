import { type Api, listOf, member, type Request } from "./api";

/** The order in which what is added meanwhile comes last. */
export const OLDEST_FIRST = { sort_by: "id", sort: "asc" };
/** The largest page that the interface allows. */
const PER_PAGE = "100";
const MAX_PAGES = 10_000;
const READINGS = 3;

/**
 * Every record of a list, page by page. Servers that give no paging data are read until a page brings nothing
 * new; `links` are never followed, since behind a proxy they may lead elsewhere. If the list moves while it is
 * read, so that a record may have slipped from a page not yet read to one read already, it is read again.
 *
 * @param query further list parameters; `per_page` is the largest allowed unless told
 */
export async function readPages(
  api: Api,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<object[]> {
  const found = new Map<string, object>();
  for (let reading = 1; reading <= READINGS; reading += 1) {
    found.clear();
    if (!(await readOnce(api, path, query, found))) break;
  }
  return [...found.values()];
}

/** Reads all pages into `found`; true where the list moved meanwhile. */
async function readOnce(
  api: Api,
  path: string,
  query: Readonly<Record<string, string>>,
  found: Map<string, object>,
): Promise<boolean> {
  let total: number | undefined;
  let moved = false;
  for (let number = 1; number <= MAX_PAGES; number += 1) {
    const page = await readPage(api, path, { ...query, page: String(number) });
    moved ||= number > 1 && page.total !== total;
    total = page.total;
    const before = found.size;
    // By its text, also where it has no id that tells it apart: or one page, sent for ever, would be read for ever.
    for (const record of page.records) found.set(JSON.stringify(member(record, "id") ?? record), record);
    const fresh = found.size - before;
    // A repeated record was pushed here by one that came in before it; without paging data it marks the end.
    moved ||= page.lastPage !== undefined && fresh < page.records.length;
    if (fresh === 0 || (page.lastPage !== undefined && number >= page.lastPage)) break;
  }
  return moved;
}

/** One page of a list, and what the server says of the whole. */
export async function readPage(
  api: Api,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<ReturnType<typeof listOf> & { spareKey: boolean }> {
  const request: Request = { method: "GET", path, fixed: true, query: { per_page: PER_PAGE, ...query } };
  const answer = await api(request);
  return { ...listOf(request, answer), spareKey: answer.spareKey };
}
