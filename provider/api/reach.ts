/** A page that was read, or pages in a row, and the ids of the first and the last record. */
export interface Stretch {
  readonly firstPage: number;
  readonly lastPage: number;
  readonly firstId: number;
  readonly lastId: number;
}

/** A page as a stretch, where its ids are numbers that rise; nothing for any other. */
export function stretchOf(page: number, ids: readonly (string | undefined)[]): Stretch | undefined {
  const numbers = ids.map((id) => Number(id));
  const [firstId] = numbers;
  const lastId = numbers.at(-1);
  const rise = numbers.every((id, at) => Number.isSafeInteger(id) && id > (numbers[at - 1] ?? -1));
  if (firstId === undefined || lastId === undefined || !rise) return undefined;
  return { firstPage: page, lastPage: page, firstId, lastId };
}

/** Whether ids rise from each stretch to the next. */
export function rises(stretches: readonly Stretch[]): boolean {
  return stretches.every(({ firstId }, at) => firstId > (stretches[at - 1]?.lastId ?? -1));
}

/**
 * On which page an id is likely to be, if ids go on to rise as fast as on the pages that were read. Nothing where
 * one of these would have shown it, or where none is left on which it could be.
 *
 * @param stretches in the list's order, the first from the list's beginning
 * @param list how many pages there are, and records a page
 */
export function pageFor(
  id: number,
  stretches: readonly Stretch[],
  { pages, size }: { pages: number; size: number },
): number | undefined {
  const next = stretches.findIndex(({ lastId }) => id <= lastId);
  const high = stretches[next];
  const low = next < 0 ? stretches.at(-1) : stretches[next - 1];
  if (low === undefined || (high !== undefined && high.firstId <= id)) return undefined;
  const unread = (high?.firstPage ?? pages + 1) - low.lastPage - 1;
  if (unread < 1) return undefined;
  const steps = (low.lastPage - low.firstPage + 1) * size - 1;
  const rise =
    high === undefined
      ? ((low.lastId - low.firstId) * size) / Math.max(1, steps)
      : (high.firstId - low.lastId - 1) / unread;
  return low.lastPage + Math.min(unread, 1 + Math.floor((id - low.lastId - 1) / Math.max(1, rise)));
}
