import type { IsFresh } from "../api/api";
import type { Snapshot } from "./snapshot";

/** So many at once look alone: of 200 records, a list is two pages. */
const FEW = 4;

/** Whether an answer was asked for after this moment (`performance.now()`). */
export const askedAfter =
  (moment: number): IsFresh =>
  ({ askedAt = 0 }) =>
    askedAt >= moment;

/**
 * Shares a list among those that look again for a record whose write may have been done. Behind nginx's `limit_req`, dozens of
 * creates can meet a 503 at once, and a search for each would be as many requests more.
 *
 * @param read reads the list, unless one that is fresh is under way
 * @returns takes what finds the record in a list that was asked for after this call, and what looks for it alone
 */
export function shareList(read: (isFresh: IsFresh) => Promise<Snapshot>) {
  let underWay = 0;
  return async <T>(inList: (list: Snapshot) => T | undefined, alone: () => Promise<T>): Promise<T> => {
    underWay += 1;
    try {
      const list = underWay > FEW ? await read(askedAfter(performance.now())).catch(() => {}) : undefined;
      return (list && inList(list)) ?? (await alone());
    } finally {
      underWay -= 1;
    }
  };
}
