import { type Api, ApiError, type IsFresh, isRecent, type Request, UnexpectedAnswer } from "../api/api";
import { decode, type RemoteRecord } from "../schema/codec";
import { canonicalKey, keySpellings, searchFor } from "../schema/identity";
import { pathOf, type Resource, type Values } from "../schema/resource";
import { parseRecord } from "./envelope";
import { Listing } from "./listing";
import { OLDEST_FIRST, readOnce, readPages } from "./pages";
import { askedAfter, shareList } from "./recheck";
import { indexList, type Snapshot } from "./snapshot";

/** How long a list that was read can be used, in milliseconds, if nothing is written. */
const MAX_AGE_MS = 120_000;
const isUsable: IsFresh = (list) => isRecent(list, performance.now(), MAX_AGE_MS);

/** What to do about a record that may exist already. */
const CREATE_AND_IMPORT =
  'if it is not there, create it in the service\'s web interface; then run "npx pulumi-tracking import --declared --apply"';

/**
 * Reads the n records of one resource that callers ask for in at most 2n + 2 requests: first the list's first page, and the whole list once
 * enough records were requested. A list may be stale, so a record is taken from it only if it matches what the caller
 * expects; every other record is read by its own request.
 */
export class RecordReader {
  private readonly api: Api;
  /** The list as it was read last. */
  private snapshot: Snapshot | undefined;
  /** The reading of the list that is under way. */
  private listing: Listing | undefined;
  /** The records that this run writes, each with its new content; `undefined` if it is deleted. */
  private readonly written = new Map<string | undefined, RemoteRecord | undefined>();
  /** The ids of those that the service says it has deleted. */
  private readonly deleted = new Set<string>();
  /** The canonical keys that it gives to records. */
  private readonly writtenKeys = new Set<string | undefined>();
  /** How many records callers have asked for. */
  private requested = 0;
  /** How many requests that took. */
  private sent = 0;
  /** Whether reading the list failed. */
  private isListUnavailable = false;
  /** Looks again for a record whose write may have been done: in a list, if many do, and else, or if that shows too little, alone. */
  readonly recheck = shareList((isFresh) => this.list(isFresh));

  constructor(
    api: Api,
    private readonly resource: Resource,
  ) {
    this.api = (request) => {
      this.sent += 1;
      return api(request);
    };
  }

  /**
   * Reads one record now, by its own request; resolves with undefined if it is provably gone. A 404 alone is no proof: behind a
   * wrong base URL nginx answers so for every record, and a refresh would drop all of them from state. A list of the same service
   * must not show the record either.
   *
   * @param key its expected key: if the list is too long to read, a search by this key proves that the record is gone
   */
  async fetchById(id: string, key?: unknown): Promise<RemoteRecord | undefined> {
    const request: Request = { method: "GET", path: pathOf(this.resource, id) };
    try {
      const answer = await this.api(request);
      const found = decode(this.resource, parseRecord(request, answer));
      if (found.id === undefined || found.id === id) return found;
      // MySQL compares an id with 010 or 10abc as with the number 10, whose record another resource may manage.
      const what = `the service answered with the record ${found.id} instead of ${id}`;
      throw new UnexpectedAnswer(request, what, { advice: `give the id ${found.id}` });
    } catch (error) {
      if (!(error instanceof ApiError) || error.failure !== "missing") throw error;
    }
    // What the service says it has deleted is gone, though a list that is some seconds behind still shows it.
    if (this.deleted.has(id)) return undefined;
    // Only a list that was asked for after the 404 outweighs that 404, or proves that a record is gone which this run has written.
    const isLater = askedAfter(performance.now());
    for (const isFresh of this.written.has(id) ? [isLater] : [isUsable, isLater])
      if (!(await this.isListed(id, key, isFresh))) return undefined;
    throw new UnexpectedAnswer(
      request,
      "the service contradicts itself: its list shows the record, but the record is not found by its id; it counts as existing",
      { status: 404, advice: "try again later; if that does not help, ask the service's operators" },
    );
  }

  /**
   * Reads one record: from the list if what that shows `isExpected`, else by its own request.
   *
   * @param isFresh for a write: whether a list that was read is recent enough
   */
  async readById(
    id: string,
    isExpected: (listed: RemoteRecord) => boolean,
    key?: unknown,
    isFresh?: IsFresh,
  ): Promise<RemoteRecord | undefined> {
    this.requested += 1;
    // If the list fails, each record is read by its own request, whose error says why.
    const skipsList = this.isListUnavailable || this.written.has(id);
    const listed = skipsList
      ? undefined
      : await this.findInList(id, isExpected, isFresh).catch(() => undefined);
    return listed && !this.written.has(id) ? listed : this.fetchById(id, key);
  }

  /**
   * Finds the records that may have this key, such as those under `www.shop.com` and `shop.com`. Rejects if the service's answers
   * leave open whether one exists: a create that took that for no would make a second record.
   *
   * @param fresh reads them now and, if a search finds none, the list too
   * @param advice what to do if the answers leave it open
   * @param isFresh whether a list that was read is recent enough
   */
  async findByKey(
    key: unknown,
    { fresh = false, advice = CREATE_AND_IMPORT, isFresh = isUsable } = {},
  ): Promise<readonly RemoteRecord[]> {
    // 1. In the list that was read, unless this run has written such a record since.
    let isOutdated = fresh;
    if (!fresh) {
      this.requested += 1;
      const { withKey, conclusive } = await this.list(isFresh);
      const candidates = withKey(key);
      isOutdated =
        candidates.some(({ id }) => this.written.has(id)) ||
        keySpellings(this.resource, key).some((spelling) => this.writtenKeys.has(spelling));
      if (conclusive && !isOutdated) return candidates;
    }

    // 2. By a search.
    const query = searchFor(this.resource, key);
    const searched = query && (await this.readAll(query));
    const found = searched?.withKey(key) ?? [];
    if (found.length > 0 || (searched?.conclusive && !isOutdated)) return found;

    // 3. In the list, read now. What neither shows does not exist, if one of the two is provably complete.
    const list = await this.readAll();
    const listed = list.withKey(key);
    if (listed.length > 0 || list.conclusive || searched?.conclusive) return listed;
    const why = list.isReadable
      ? `the service's list ends after record ${list.byId.size}, but may be incomplete, and no search completes it`
      : `the service lists a record without an id or a ${this.resource.key} that can be read`;
    const what = `${why}, so whether such a record exists is unknown`;
    throw new UnexpectedAnswer({ method: "GET", path: this.resource.path }, what, { advice });
  }

  /** Whether a list that was read to its end does not show a record. */
  lacks(id: string): boolean {
    return this.snapshot?.conclusive === true && !this.snapshot.byId.has(id);
  }

  /**
   * Returns what the present list shows under an id, unless this run has written that record. Later reads do not change it, later
   * writes hide their record.
   */
  listedById(): (id: string) => RemoteRecord | undefined {
    const listed = this.snapshot?.byId;
    return (id) => (this.written.has(id) ? undefined : listed?.get(id));
  }

  /** The service has said that it has deleted a record: a 404 is its end, which a DELETE that may be lost does not make it. */
  markDeleted(id: string): void {
    this.deleted.add(id);
  }

  /** Call before writing a record as `next`, or deleting it: no list counts for this record any more. */
  invalidate(id: string, next?: RemoteRecord): void {
    this.deleted.delete(id);
    this.written.set(id, next);
    if (next !== undefined) this.invalidateKey(next.values);
  }

  /** Call before writing a record with this key: whether one exists is for no list to say any more. */
  invalidateKey(values: Values): void {
    this.writtenKeys.add(canonicalKey(this.resource, values));
  }

  /**
   * What the list shows under an id, if that `isExpected`. A read takes it as soon as its page has come: while nine more are on
   * their way, the engine goes on with the records of the first one. If that shows too little of each, their own requests wait for
   * the whole list: they would use up the requests of the list, which would end at page 5 of 10, and begin again. A write waits
   * too: what it deletes while pages are on their way moves other records between them, and each that is missed is one request more.
   */
  private async findInList(
    id: string,
    isExpected: (listed: RemoteRecord) => boolean,
    isFresh?: IsFresh,
  ): Promise<RemoteRecord | undefined> {
    const list = await this.listOrListing(isFresh ?? isUsable);
    const expected = (record: RemoteRecord | undefined) =>
      record && isExpected(record) ? record : undefined;
    if (!(list instanceof Listing)) return expected(list.byId.get(id));
    const first = isFresh === undefined ? await list.find(id) : undefined;
    return expected(first) ?? expected((await list.done).byId.get(id));
  }

  private async list(isFresh: IsFresh): Promise<Snapshot> {
    const list = await this.listOrListing(isFresh);
    return list instanceof Listing ? list.done : list;
  }

  /** The list, if one that was read, or is being read, is recent enough; else it is read now: to its end if the budget allows. */
  private async listOrListing(isFresh: IsFresh): Promise<Snapshot | Listing> {
    const { snapshot, listing } = this;
    if (snapshot && isFresh(snapshot) && !this.isWithinBudget(snapshot.cost)) return snapshot;
    const isUnderWay = listing && isFresh({ askedAt: listing.askedAt, answeredAt: performance.now() });
    if (listing && !isUnderWay) await listing.done.catch(() => {});
    if (this.listing === undefined) {
      const end = () => {
        this.listing = undefined;
      };
      this.listing = new Listing((begun) => this.readList(begun).finally(end));
      // Also if nobody waits for it any more, since all records that were asked for have come: the next one would begin it again.
      this.listing.done.catch(() => {
        this.isListUnavailable = true;
      });
    }
    return this.listing;
  }

  private async readList(listing: Listing): Promise<Snapshot> {
    const written = this.written.size;
    const list = await readOnce(this.api, this.resource, OLDEST_FIRST, {
      mayContinue: (pagesLeft) => this.isWithinBudget(pagesLeft),
      onRecord: (record) => listing.show(record),
    });
    const snapshot = indexList(this.resource, list);
    // What this run adds meanwhile comes last, so it moves no other record.
    const isStable = list.grown <= this.written.size - written;
    // If record 50 is deleted between two pages of 100, record 101 moves to the first one, and the second begins at 102.
    const mayHaveMoved = [...this.written].some(([id, next]) => next === undefined && snapshot.byId.has(id));
    const conclusive = snapshot.conclusive && isStable && !mayHaveMoved;
    this.snapshot = { ...snapshot, askedAt: list.askedAt ?? listing.askedAt, conclusive };
    return this.snapshot;
  }

  /** The whole list, or what a search finds, read now; whatever it costs. */
  async readAll(query: Readonly<Record<string, string>> = {}) {
    const list = await readPages(this.api, this.resource, { ...query, ...OLDEST_FIRST });
    return indexList(this.resource, list);
  }

  private async isListed(id: string, key: unknown, isFresh: IsFresh): Promise<boolean> {
    const list = await this.list(isFresh);
    if (list.conclusive || list.byId.has(id)) return list.byId.has(id);
    const query = key === undefined ? undefined : searchFor(this.resource, key);
    return query !== undefined && (await this.readAll(query)).byId.has(id);
  }

  /**
   * Whether this many more requests, and one for the record itself, stay within 2n + 2. A single record never justifies
   * more than the first page.
   */
  private isWithinBudget(more: number): boolean {
    return this.requested > 1 && this.sent + more + 1 <= 2 * this.requested + 2;
  }
}
