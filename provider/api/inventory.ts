import { type Api, ApiError, type Request, recordOf } from "./api";
import { OLDEST_FIRST, readPage, readPages } from "./pages";

/** How long a list serves for looking whether a name is free, in milliseconds; the service has the last word. */
const FRESH = 30_000;

/** Reads the records of one collection: single ones, with proof where one is gone, and all of them. */
export class Inventory<T extends { readonly id: string | undefined }> {
  private list: { readonly records: Promise<T[]>; readonly at: number } | undefined;

  constructor(
    private readonly api: Api,
    /** Path of the collection. */
    private readonly path: string,
    private readonly decode: (raw: object) => T,
  ) {}

  /**
   * One record, or nothing if it is gone. A 404 alone proves nothing, since every wrong address answers so: the
   * same service must answer a list, and to the key that was set first.
   */
  async show(id: string): Promise<T | undefined> {
    const request: Request = { method: "GET", path: `${this.path}/${encodeURIComponent(id)}` };
    try {
      const answer = await this.api(request);
      return this.decode(recordOf(request, answer));
    } catch (error) {
      if (!(error instanceof ApiError) || error.failure !== "missing") throw error;
      const { spareKey } = await readPage(this.api, this.path, {});
      if (!spareKey) return undefined;
      throw new ApiError(
        request,
        "unauthorised",
        "the service rejects the API key of the last update, and another key's word is not enough to hold the record to be gone; run the same command with --run-program",
      );
    }
  }

  /** All records, from a list not older than half a minute unless a `fresh` one is asked for. Callers share it. */
  all(fresh = false): Promise<T[]> {
    if (fresh || this.list === undefined || Date.now() - this.list.at > FRESH) {
      const records = this.pages();
      const list = { records, at: Date.now() };
      this.list = list;
      // A list that failed must not answer the next caller.
      records.catch(() => {
        if (this.list === list) this.list = undefined;
      });
    }
    return (this.list as { records: Promise<T[]> }).records;
  }

  private async pages(): Promise<T[]> {
    const raw = await readPages(this.api, this.path, OLDEST_FIRST);
    return raw.map(this.decode);
  }
}
