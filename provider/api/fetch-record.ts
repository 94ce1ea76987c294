import { setTimeout as sleep } from "node:timers/promises";
import { type Api, ApiError, type Request, UnexpectedAnswer } from "./api";
import { parseRecord } from "./envelope";

/** How far a replica of the service's data may lag behind, in milliseconds. */
const REPLICATION_LAG_MS = 1000;

/**
 * Reads one record by its own request; resolves with nothing if it is provably gone. A 404 alone is no proof, since a
 * wrong address and a lagging replica answer so too: a list of the same service must not show the record either.
 *
 * @param isListed whether a list shows the record; the list is read after `since` (`performance.now()`), or recent
 */
export async function fetchRecord<T>(
  api: Api,
  path: string,
  decode: (raw: object) => T,
  isListed: (since?: number) => Promise<boolean>,
): Promise<T | undefined> {
  const request: Request = { method: "GET", path };
  for (let since: number | undefined; ; since = performance.now()) {
    try {
      return decode(parseRecord(request, await api(request)));
    } catch (error) {
      if (!(error instanceof ApiError) || error.failure !== "missing") throw error;
    }
    if (!(await isListed(since))) return undefined;
    if (since !== undefined)
      throw new UnexpectedAnswer(
        request,
        "the service contradicts itself: its list shows the record, but the record is not found by its id; it counts as existing",
        { status: 404, remedy: "try again later; if that does not help, ask the service's operators" },
      );
    await sleep(REPLICATION_LAG_MS);
  }
}
