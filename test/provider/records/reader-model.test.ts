import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Api, ApiError, type IsFresh, isRecent } from "../../../provider/api/api";
import { RecordReader } from "../../../provider/records/reader";
import { some } from "../../model/sizes";
import { record, thing } from "./list-service";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());
vi.mock("node:timers/promises", () => import("../../fake-timers.js"));

/** A record, and when it was made or changed last. */
type Row = { readonly id: string; readonly at: number };
type Act = "read" | "look" | "change" | "remove" | "insert";

/** Milliseconds to the next step; now and then as many as what was read serves for. */
const pause = fc.oneof(fc.nat(9), fc.nat(30), fc.constantFrom(9_990, 10_001, 119_970, 120_001));
const MANY = { maxLength: 20, size: "max" } as const;
/** A service with these records, the ways of its requests there and back, and what is done to it. */
const stories = (...acts: Act[]) =>
  fc.record({
    ids: fc.uniqueArray(fc.nat(60), { ...MANY, maxLength: 40, minLength: 1 }),
    size: fc.constantFrom(4, 10, 12),
    ways: fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { minLength: 1, maxLength: 5 }),
    steps: fc.array(fc.tuple(pause, fc.constantFrom(...acts), fc.nat(), fc.nat(20)), MANY),
    order: fc.constantFrom("rising", "falling", "other"),
    page: fc.constantFrom("from 1", "from 0", "ignored"),
    lastPage: fc.array(fc.constantFrom("true", "none", 1, 3, 9), { minLength: 1, maxLength: 4 }),
    total: fc.constantFrom("true", "none"),
    searches: fc.boolean(),
  });
type Story = ReturnType<typeof stories> extends fc.Arbitrary<infer S> ? S : never;

/** What comes of a story: requests, records asked for, and what is wrong. */
async function play({
  ids,
  ways,
  steps,
  order,
  page: numbering,
  lastPage,
  total,
  searches,
  ...story
}: Story) {
  // So few a page are some ten pages, which are read side by side; no service without pages shows as few.
  const size = numbering === "ignored" ? Math.max(10, story.size) : story.size;
  let rows: Row[] = ids.map((id) => ({ id: `${100 * id}`, at: 0 }));
  const result = { requests: 0, asked: 0, wrong: [] as string[] };
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const has = (id: string, among: readonly { id: string | undefined }[] = rows) =>
    among.some((row) => row.id === id);
  const place = ({ id }: Row) => ({ rising: +id, falling: -id, other: (+id * 7) % 61 })[order] ?? 0;
  const page = (asked: string | undefined, search: string | undefined) => {
    const all = rows.filter(({ id }) => search === undefined || !searches || id === search);
    all.sort((one, other) => place(one) - place(other));
    const first = numbering === "from 0" ? 0 : 1;
    const number = numbering === "ignored" ? 0 : Number(asked ?? first) - first;
    const said = search === undefined ? lastPage[result.requests % lastPage.length] : "true";
    const last_page = said === "true" ? Math.max(1, Math.ceil(all.length / size)) : said;
    const meta = {
      ...(said === "none" ? {} : { last_page }),
      ...(total === "true" ? { total: all.length } : {}),
    };
    return { data: all.slice(number * size, (number + 1) * size), meta };
  };
  const api: Api = async (request) => {
    const [there = 0, back = 0] = ways[result.requests % ways.length] ?? [];
    result.requests += 1;
    const askedAt = performance.now();
    await wait(there);
    const { path, query = {} } = request;
    const shown = (row: Row) => ({ ...row, updated_at: performance.now() });
    const { data, meta } = page(query.page, query.search);
    const row = rows.find(({ id }) => path.endsWith(`/${id}`));
    const body = path === thing.path ? { data: data.map(shown), meta } : row && shown(row);
    await wait(back);
    if (body === undefined) throw new ApiError(request, "missing", "gone");
    return { status: 200, body, askedAt, answeredAt: performance.now() };
  };
  const records = new RecordReader(api, thing);
  /** Since when a record is as this run knows it. */
  const known = new Map<string, number>();
  const acts: Record<Act, (id: string, late: number) => Promise<void>> = {
    read: async (id, late) => {
      result.asked += 1;
      const since = known.get(id) ?? 0;
      const maxAge = late % 2 === 0 ? 120_000 : 10_000;
      const proves: IsFresh = (list) => isRecent(list, performance.now(), maxAge);
      const row = await records.readById(id, () => true, id, proves);
      if (row && !proves({ askedAt: Number(row.updatedAt) })) result.wrong.push(`${id} is too old`);
      if (row === undefined ? has(id) : Number(row.values.at) < since)
        result.wrong.push(`${id} as before ${since}`);
    },
    look: async (id) => {
      const there = has(id);
      // If the list is truncated and no search works, it may report that it can't tell.
      const found = await records.findByKey(id).catch(() => undefined);
      if (there && has(id) && found !== undefined && !has(id, found)) result.wrong.push(`${id} overlooked`);
    },
    change: async (id, late) => {
      records.invalidate(id, record(id, 0));
      await wait(late % 5);
      rows = rows.map((row) => (row.id === id ? { id, at: performance.now() } : row));
      await wait(5 * late);
      known.set(id, rows.find((row) => row.id === id)?.at ?? 0);
    },
    remove: async (id, late) => {
      if (!has(id)) return;
      records.invalidate(id);
      await wait(late % 5);
      rows = rows.filter((row) => row.id !== id);
      const at = performance.now() + 1;
      await wait(5 * late);
      known.set(id, at);
    },
    insert: async () => {
      rows = [...rows, { id: `${1 + Math.max(6000, ...rows.map(({ id }) => +id))}`, at: performance.now() }];
    },
  };
  const open = new Set<number>();
  for (const [at, [after, act, which, late]] of steps.entries()) {
    await vi.advanceTimersByTimeAsync(after);
    void acts[act](`${100 * (ids[which % ids.length] ?? 0)}`, late)
      .catch((error: unknown) => void result.wrong.push(String(error)))
      .finally(() => open.delete(at));
    open.add(at);
  }
  await vi.advanceTimersByTimeAsync(90_000);
  return { ...result, wrong: [...result.wrong, ...[...open].map((at) => `step ${at} has no end`)] };
}

test("records that are there cost two requests each at most, and two, and none is given as it was before this run changed it", async () => {
  const told = fc.asyncProperty(stories("read", "read", "change"), async (story) => {
    const { requests, asked, wrong } = await play({ ...story, lastPage: ["true"] });
    expect(wrong).toEqual([]);
    // A server that counts four pages, and gives the first one whichever is asked for, costs one more each time.
    const most = story.page === "ignored" ? 3 : 2;
    expect(requests).toBeLessThanOrEqual(most * asked + 2);
  });
  await fc.assert(told, { numRuns: some(300), endOnFailure: true });
});

test("no record is held to be gone that is there, and none is as it was before this run changed it", async () => {
  const told = fc.asyncProperty(stories("read", "read", "change", "remove", "insert"), async (story) => {
    expect((await play(story)).wrong).toEqual([]);
  });
  await fc.assert(told, { numRuns: some(300), endOnFailure: true });
});

/** Of a list in no order, a new record can move any other, and no total tells it from one that is gone. */
const sorted = stories("read", "look", "change", "insert").filter(({ order }) => order !== "other");

test.each([
  ["its length while others add to it", sorted, { total: "true" }],
  ["its length while this run deletes", stories("read", "look", "change", "remove"), { total: "true" }],
  ["nothing of itself", stories("read", "look", "change"), { total: "none" }],
])(
  "no look misses a record that is there, where a list tells %s",
  async (_, story, said) => {
    const told = async (one: Story) => {
      expect((await play({ ...one, ...(said as Partial<Story>) })).wrong).toEqual([]);
    };
    await fc.assert(fc.asyncProperty(story, told), { numRuns: some(300), endOnFailure: true });
  },
  100_000,
);
