import { describe, expect, test } from "vitest";
import { type Api, ApiError } from "../../../provider/api/api";
import { readOnce, readPages } from "../../../provider/records/pages";
import { honest, type ListWays, silent } from "../../service/lists";
import { ids, listService, path, record, thing } from "./list-service";

interface Page {
  readonly data: readonly object[];
  readonly last_page?: number;
  readonly total?: number;
}

/** A service that gives these pages, one after the other and then the last again, and which were asked for. */
function giving(...pages: readonly Page[]) {
  const numbers: (string | undefined)[] = [];
  const api: Api = async ({ query }) => {
    numbers.push(query?.page);
    return { status: 200, body: pages[Math.min(numbers.length, pages.length) - 1] };
  };
  return { api, numbers };
}
const rows = (...all: (number | string)[]) => all.map((id) => ({ id }));
const read = (...all: (number | string)[]) => all.map((id) => record(String(id)));
const hundred = (from: number) => rows(...ids(100, from));

test("a list is asked for at an address that there must be, with a hundred records unless told", async () => {
  const { api, asked } = listService(ids(3));
  await readPages(api, thing, { search: "1" });
  await readPages(api, thing, { per_page: "10" });
  expect(asked).toEqual([
    { method: "GET", path, alwaysExists: true, query: { per_page: "100", search: "1" } },
    { method: "GET", path, alwaysExists: true, query: { per_page: "10" } },
  ]);
});

type Case = [title: string, count: number, manner: ListWays, requests: string[]];
const ofPage = ({ here }: { here: number }) => ({ last_page: 1, total: here });
const repeating = { says: silent, page: "ignored" } as const;
const list = (...pages: number[]) => ["list", ...pages.map((page) => `list ${page}`)];

describe("a list is whole on proof", () => {
  test.each<Case>([
    ["as many as its total", 250, {}, list(2, 3)],
    ["none, where it does not say how many", 0, { says: silent }, list()],
    ["fewer than the smallest page there is", 9, repeating, list(2)],
    ["a page shorter than the first", 250, { says: silent }, list(2, 3, 1)],
    ["an empty page", 200, { says: silent }, list(2, 3, 1)],
    ["pages from 0 and a total", 250, { page: "from 0" }, list(2, 3, 1)],
    ["pages from 0", 250, { page: "from 0", says: silent }, list(2, 1)],
    ["no pages, and fewer where fewer are asked for", 60, repeating, [...list(2), "list"]],
    ["a total that is a full page, which may be the page's", 100, {}, list(2)],
    ["a total of each page", 150, { says: ofPage }, list(2, 1)],
  ])("%s", async (_, count, manner, requests) => {
    const { api, lines } = listService(ids(count), manner);
    const { records, complete } = await readPages(api, thing, {});
    expect(records).toEqual(expect.arrayContaining(read(...ids(count))));
    expect([records.length, complete]).toEqual([count, true]);
    expect(lines()).toEqual(requests);
  });
});

describe("a list is not whole", () => {
  test.each<Case>([
    ["where pages repeat the first", 120, repeating, list(2)],
    ["where a page is not known as a parameter", 120, { says: silent, page: "refused" }, list(2)],
  ])("%s", async (_, count, manner, requests) => {
    const { api, lines } = listService(ids(count), manner);
    const { records, complete } = await readPages(api, thing, {});
    expect([records.length < count, complete]).toEqual([true, false]);
    expect(lines()).toEqual(requests);
  });

  test("where its pages end before the last that it counts", async () => {
    const { api, numbers } = giving({ data: hundred(1), last_page: 1e9 }, { data: [], last_page: 1e9 });
    expect(await readPages(api, thing, {})).toMatchObject({ complete: false });
    expect(numbers.length).toBeLessThanOrEqual(3);
  });

  test("where its pages differ without end: five hundred are read", async () => {
    let asked = 0;
    const api: Api = async ({ query }) => {
      asked += 1;
      return { status: 200, body: { data: hundred(1 + 100 * Number(query?.page ?? 1)) } };
    };
    expect(await readPages(api, thing, {})).toMatchObject({ complete: false });
    expect(asked).toBe(500);
  });

  test("where it answers every page with the same records and counts pages without end", async () => {
    const { api, numbers } = giving({ data: rows(1, 2), last_page: 1e9, total: 9 });
    expect(await readPages(api, thing, {})).toMatchObject({ complete: false });
    // Its total promises more, so four are on their way before the second one repeats the first.
    expect(numbers).toEqual([undefined, "2", "3", "4", "5"]);
  });
});

test("a server without pages that is asked for few a page is asked for a hundred", async () => {
  const { api, asked } = listService(ids(60), { says: silent, page: "ignored" });
  const { records, complete } = await readPages(api, thing, { per_page: "10" });
  expect([records.length, complete]).toEqual([60, true]);
  expect(asked.map(({ query }) => query?.per_page)).toEqual(["10", "10", "100", "100", "10"]);
});

test("records without an id are given too, each that differs once", async () => {
  const { api } = giving({ data: [{ at: 1 }, { at: 2 }, { at: 1 }] });
  const { records } = await readPages(api, thing, {});
  expect(records.map(({ id, values }) => [id, values.at])).toEqual([
    [undefined, 1],
    [undefined, 2],
  ]);
});

test("an id that is a number and the same as text are one, and a page that repeats them is not the list's end", async () => {
  const numbers = hundred(1).map(({ id }) => ({ id: Number(id) }));
  const { api } = giving({ data: [...numbers, { id: "1" }] }, { data: hundred(1) });
  const { records, complete } = await readOnce(api, thing, {});
  expect([records.length, complete]).toEqual([100, false]);
});

test("a page that can't be had is an error, and not the list's end", async () => {
  const failing = listService(ids(250));
  const api: Api = async (request) => {
    if (request.query?.page === "3") throw new ApiError(request, "unclear", "down", { status: 500 });
    return failing.api(request);
  };
  await expect(readPages(api, thing, {})).rejects.toThrow("down");
});

describe("a list that moves while it is read", () => {
  const calm = (total: number, ...all: (number | string)[]) => ({ data: rows(...all), last_page: 2, total });

  test("is read again where its length has changed, and what is gone is not given", async () => {
    const { api, numbers } = giving(calm(4, 1, 2), calm(3, 4), calm(3, 4), calm(3, 2, 3), calm(3, 4));
    expect((await readPages(api, thing, {})).records).toEqual(read(2, 3, 4));
    expect(numbers).toEqual([undefined, "2", "3", undefined, "2"]);
  });

  test("is read again where a record was pushed to the next page", async () => {
    const whole = [calm(4, 1, 2), calm(4, 3, 4)];
    const { api, numbers } = giving(calm(4, 1, 2), calm(4, 2, 3), calm(4, 3, 4), ...whole);
    expect((await readPages(api, thing, {})).records).toEqual(read(1, 2, 3, 4));
    expect(numbers.filter((each) => each === undefined)).toHaveLength(2);
  });

  test("is read again where it has grown past one full page, whose total may have been the page's", async () => {
    const {
      api: given,
      service,
      lines,
    } = listService(ids(100), {
      says: ({ current_page, total }) => ({ current_page, total }),
    });
    const api: Api = (request) => {
      // One goes and two come before the second page is read, so that one of them slips to the first.
      if (lines().length === 1) service.rows = ids(101, 2).map((id) => ({ id }));
      return given(request);
    };
    expect((await readPages(api, thing, {})).records).toEqual(expect.arrayContaining(read(...ids(101, 2))));
    expect(lines().filter((line) => line === "list")).toHaveLength(2);
  });

  test.each<[string, (answered: number) => object]>([
    ["its total", (answered) => ({ last_page: 2, total: 1000 - answered })],
    ["nothing but its last page", (answered) => ({ last_page: 2 + answered })],
  ])("is read three times at most, and says that it moved, if it shows %s", async (_, says) => {
    let [answered, asked] = [0, 0];
    const api: Api = async ({ query }) => {
      asked += query?.page === undefined ? 1 : 0;
      answered += 1;
      const page = Number(query?.page ?? 1);
      const data = page > 2 ? [] : hundred(100 * page);
      return { status: 200, body: { data, ...says(answered) } };
    };
    expect(await readPages(api, thing, {})).toMatchObject({ grown: Number.POSITIVE_INFINITY });
    expect(asked).toBe(3);
  });
});

describe("the rest of a list", () => {
  /** Reads a list whose service answers all that it was asked together: how many requests came at a time. */
  async function roundsOf(count: number, manner: ListWays = {}, from = listService(ids(count), manner)) {
    const rounds: number[] = [];
    let waiting: (() => void)[] = [];
    const api: Api = async (request) => {
      if (waiting.length === 0)
        setImmediate(() => {
          const all = waiting;
          waiting = [];
          rounds.push(all.length);
          for (const answer of all) answer();
        });
      await new Promise<void>((resolve) => waiting.push(resolve));
      return from.api(request);
    };
    const outcome = await readPages(api, thing, {}).catch((error: Error) => error);
    return { rounds, outcome, lines: from.lines() };
  }

  test.each<[string, number, ListWays, number[]]>([
    ["is read side by side with a total, at first only four pages", 1000, {}, [1, 4, 5]],
    ["is read sixteen pages at a time", 5000, {}, [1, 4, 16, 16, 13]],
    ["is read page by page without a total", 500, { says: silent }, [1, 1, 1, 1, 1, 1, 1]],
    ["is read side by side if pages count from 0, then what was skipped", 500, { page: "from 0" }, [1, 4, 1]],
  ])("%s", async (_, count, manner, rounds) => {
    const read = await roundsOf(count, manner);
    expect(read.outcome).toMatchObject({ complete: true, grown: 0 });
    expect(read.rounds).toEqual(rounds);
  });

  test("is given in the list's order, whichever page comes first", async () => {
    const { api } = listService(ids(600));
    const late: Api = async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 20 - 2 * Number(request.query?.page ?? 1)));
      return api(request);
    };
    expect((await readPages(late, thing, {})).records).toEqual(read(...ids(600)));
  });

  test("is not asked for if a page fails or shows nothing new, but for what is on its way", async () => {
    const failing = listService(ids(5000));
    const down: Api = async (request) => {
      // What fails behind it must not end the process.
      if (Number(request.query?.page) >= 4) throw new ApiError(request, "unclear", "down", { status: 500 });
      return failing.api(request);
    };
    const { outcome } = await roundsOf(5000, {}, { ...failing, api: down });
    expect(outcome).toMatchObject({ message: expect.stringContaining("down") });
    expect(failing.lines().length).toBeLessThanOrEqual(2 + 16 + 1);
    const short = listService(ids(300), { says: (said) => ({ ...said, total: 5000 }) });
    const read = await roundsOf(300, {}, short);
    expect(read.outcome).toMatchObject({ complete: false });
    expect(read.lines.length).toBeLessThanOrEqual(2 + 16 + 2);
  });

  test("is asked for side by side only as far as the budget of requests allows, which counts each once", async () => {
    const { api, lines } = listService(ids(1000));
    const left: number[] = [];
    const goOn = (more: number) => left.push(lines().length + more) > 0 && lines().length + more <= 11;
    expect(await readOnce(api, thing, {}, { mayContinue: goOn })).toMatchObject({ complete: true });
    expect(Math.max(...left)).toBe(11);
    expect(lines()).toHaveLength(10);
  });
});

test("one reading goes on as long as it may, and says what all of it would take", async () => {
  for (const [says, left, cost] of [
    [honest, 10, 11],
    [silent, 3, 4],
  ] as const) {
    const { api, lines } = listService(ids(1000), { says });
    const asked: number[] = [];
    const goOn = (more: number) => asked.push(more) < 1;
    expect(await readOnce(api, thing, {}, { mayContinue: goOn })).toMatchObject({ complete: false, cost });
    expect([asked, lines()]).toEqual([[left], ["list"]]);
  }
});
