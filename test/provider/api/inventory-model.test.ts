import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Api, ApiError } from "../../../provider/api/api";
import { Inventory } from "../../../provider/api/inventory";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

/** A record, and when it was made or changed last. */
type Row = { readonly id: string; readonly at: number };
type Act = "see" | "look" | "change" | "remove" | "insert";

/** Milliseconds to the next step; now and then as many as what was read serves for. */
const pause = fc.oneof(fc.nat(9), fc.nat(30), fc.constantFrom(119_970, 120_001));
const MANY = { maxLength: 20, size: "max" } as const;
/** A service with these records, the ways of its requests there and back, and what is done to it. */
const stories = (...acts: Act[]) =>
  fc.record({
    ids: fc.uniqueArray(fc.nat(30), { ...MANY, minLength: 1 }),
    size: fc.integer({ min: 1, max: 3 }),
    ways: fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { minLength: 1, maxLength: 5 }),
    steps: fc.array(fc.tuple(pause, fc.constantFrom(...acts), fc.nat(), fc.nat(20)), MANY),
    order: fc.constantFrom("rising", "falling", "other"),
    lastPage: fc.array(fc.constantFrom("true", "none", 1, 3, 9), { minLength: 1, maxLength: 4 }),
    total: fc.constantFrom("true", "none", 0, 7),
  });
type Story = ReturnType<typeof stories> extends fc.Arbitrary<infer S> ? S : never;

/** What comes of a story: requests, records asked for, how often what was read may have expired, and what is wrong. */
async function play({ ids, size, ways, steps, order, lastPage, total }: Story) {
  vi.setSystemTime(0);
  let rows: Row[] = ids.map((id) => ({ id: `${100 * id}`, at: 0 }));
  const result = { requests: 0, asked: 0, expired: 0, wrong: [] as string[] };
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const has = (id: string, among = rows) => among.some((row) => row.id === id);
  const place = ({ id }: Row) => ({ rising: +id, falling: -id, other: (+id * 7) % 61 })[order] ?? 0;
  const page = (number: number, search?: string) => {
    const all = rows.filter(({ id }) => search === undefined || id === search);
    all.sort((one, other) => place(one) - place(other));
    const pages = Math.max(1, Math.ceil(all.length / size));
    const said = search === undefined ? lastPage[result.requests % lastPage.length] : "true";
    const meta = { last_page: said === "true" ? pages : said, total: total === "true" ? all.length : total };
    return { data: all.slice((number - 1) * size, number * size), meta };
  };
  const api: Api = async (request) => {
    const [there = 0, back = 0] = ways[result.requests % ways.length] ?? [];
    result.requests += 1;
    await wait(there);
    const { path, query = {} } = request;
    const body =
      path === "/p" ? page(Number(query.page), query.search) : rows.find(({ id }) => path.endsWith(`/${id}`));
    await wait(back);
    if (body === undefined) throw new ApiError(request, "missing", "gone");
    return { status: 200, body, spareKey: false };
  };
  const search = (key: unknown) => ({ search: `${key}` });
  const records = new Inventory<Row>(api, { path: "/p", decode: (raw) => raw as Row, search });
  /** Since when a record is as this run knows it. */
  const known = new Map<string, number>();
  const acts: Record<Act, (id: string, late: number) => Promise<void>> = {
    see: async (id) => {
      result.asked += 1;
      const since = known.get(id) ?? 0;
      const row = await records.see(id, () => true);
      if (row === undefined ? has(id) : row.at < since) result.wrong.push(`${id} as before ${since}`);
    },
    look: async (id) => {
      const there = has(id);
      const found = await records.like(id);
      if (there && has(id) && !known.has(id) && !has(id, found)) result.wrong.push(`${id} overlooked`);
    },
    change: async (id, late) => {
      const at = Date.now();
      rows = rows.map((row) => (row.id === id ? { id, at } : row));
      await wait(5 * late);
      records.forget(id);
      known.set(id, at);
    },
    remove: async (id, late) => {
      if (!has(id)) return;
      records.leave(id);
      await wait(late % 5);
      rows = rows.filter((row) => row.id !== id);
      const at = Date.now() + 1;
      await wait(5 * late);
      records.remove(id);
      known.set(id, at);
    },
    insert: async (_, late) => {
      rows = [...rows, { id: `${100 * late + 1 + (result.requests % 99)}`, at: Date.now() }];
    },
  };
  const open = new Set<number>();
  for (const [at, [after, act, which, late]] of steps.entries()) {
    await vi.advanceTimersByTimeAsync(after);
    result.expired += after > 30 ? 1 : 0;
    void acts[act](`${100 * (ids[which % ids.length] ?? 0)}`, late).finally(() => open.delete(at));
    open.add(at);
  }
  await vi.advanceTimersByTimeAsync(50_000);
  return { ...result, wrong: [...result.wrong, ...[...open].map((at) => `step ${at} has no end`)] };
}

test("records asked for cost a request each and two at most, and none is given as it was before this run changed it", async () => {
  const told = fc.asyncProperty(stories("see", "see", "see", "change", "remove", "insert"), async (story) => {
    const { requests, asked, expired, wrong } = await play(story);
    expect(wrong).toEqual([]);
    // That a record is gone, the list has to prove anew each time that what was read of it has expired.
    expect(requests).toBeLessThanOrEqual(asked + 2 + expired);
  });
  await fc.assert(told, { numRuns: 2000 });
});

test.each([
  ["its length", stories("see", "see", "look", "change", "remove", "insert"), { total: "true" }],
  ["its pages", stories("see", "look", "change", "remove"), { total: "none", lastPage: ["true"] }],
])("no look misses a record that is there, where a list tells %s", async (_, story, said) => {
  const told = async (one: Story) => (await play({ ...one, ...(said as Partial<Story>) })).wrong.length === 0;
  await fc.assert(fc.asyncProperty(story, told), { numRuns: 2000 });
});
