import { setTimeout as sleep } from "node:timers/promises";
import { type Api, ApiError, type Request, UnexpectedAnswer } from "./api";
import { parseRecord } from "./envelope";

/** A copy of the service's data may be so far behind, in milliseconds. */
const REPLICATION_LAG_MS = 1000;

/**
 * One record by a request of its own, or nothing on proof that it is gone. A 404 alone proves nothing, since every
 * wrong address answers so, and a copy that lags behind too: a list of the same service must not show the record.
 *
 * @param isListed whether a list shows the record: one read `since` then, as `performance.now()` has it, or lately
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
        "the service contradicts itself: it does not find the record by its id, and its list shows it; nothing is held to be gone",
        { status: 404, remedy: "try again later; if it stays so, ask those who run the service" },
      );
    await sleep(REPLICATION_LAG_MS);
  }
}
