import { describe, expect, test } from "vitest";
import type { Api, Request } from "../../../provider/api/api";
import { OLDEST_FIRST, readPage, readPages } from "../../../provider/api/pages";

const path = "/api/v1/websites";

interface Page {
  readonly data: readonly object[];
  readonly last_page?: number;
  readonly total?: number;
}

/** A service that gives these pages, one after the other and then the last again, and what it was asked. */
function giving(...pages: readonly Page[]) {
  const asked: Request[] = [];
  const api: Api = async (request) => {
    asked.push(request);
    const body = pages[Math.min(asked.length, pages.length) - 1];
    return { status: 200, body, spareKey: false };
  };
  return { api, asked, numbers: () => asked.map(({ query }) => Number(query?.page)) };
}
const rows = (...ids: number[]) => ids.map((id) => ({ id }));

test("oldest first is by id", () => expect(OLDEST_FIRST).toEqual({ sort_by: "id", sort: "asc" }));

test("one page is asked for at an address that there must be, with a hundred records unless told", async () => {
  const { api, asked } = giving({ data: rows(1), last_page: 1, total: 1 });
  const page = await readPage(api, path, { search: "a" });
  await readPage(api, path, { per_page: "10" });
  expect(page).toEqual({ records: rows(1), lastPage: 1, total: 1, spareKey: false });
  expect(asked).toEqual([
    { method: "GET", path, fixed: true, query: { per_page: "100", search: "a" } },
    { method: "GET", path, fixed: true, query: { per_page: "10" } },
  ]);
});

describe("all pages", () => {
  test("are read to the last that is named", async () => {
    const { api, numbers, asked } = giving(
      { data: rows(1, 2), last_page: 2, total: 3 },
      { data: rows(3), last_page: 2, total: 3 },
    );
    expect(await readPages(api, path, { search: "a" })).toEqual(rows(1, 2, 3));
    expect(numbers()).toEqual([1, 2]);
    expect(asked[1]?.query).toMatchObject({ search: "a", page: "2" });
  });

  test("are one where there is but one, whatever it says of the whole", async () => {
    const { api, numbers } = giving({ data: rows(1), last_page: 1, total: 5 });
    expect(await readPages(api, path, {})).toEqual(rows(1));
    expect(numbers()).toEqual([1]);
  });

  test("that name no last one are read until one brings nothing new", async () => {
    const { api, numbers } = giving({ data: rows(1, 2) }, { data: rows(3) }, { data: [] });
    expect(await readPages(api, path, {})).toEqual(rows(1, 2, 3));
    expect(numbers()).toEqual([1, 2, 3]);
  });

  test("that repeat the last one for ever are not read for ever, and not once more", async () => {
    const { api, numbers } = giving({ data: rows(1) }, { data: rows(2) });
    expect(await readPages(api, path, {})).toEqual(rows(1, 2));
    expect(numbers()).toEqual([1, 2, 3]);
  });

  test("of records without an id end too, and give each that differs once", async () => {
    const { api } = giving({ data: [{ name: "a" }, { name: "b" }] });
    expect(await readPages(api, path, {})).toEqual([{ name: "a" }, { name: "b" }]);
  });

  test("tell an id that is a number from the same as text", async () => {
    const { api } = giving({ data: [{ id: 1 }, { id: "1" }], last_page: 1 });
    expect(await readPages(api, path, {})).toHaveLength(2);
  });
});

describe("a list that moves while it is read", () => {
  const calm = (total: number, ...ids: number[]) => ({ data: rows(...ids), last_page: 2, total });

  test("is read again where its length has changed, and what is gone is not given", async () => {
    const { api, numbers } = giving(calm(4, 1, 2), calm(3, 4), calm(3, 2, 3), calm(3, 4));
    expect(await readPages(api, path, {})).toEqual(rows(2, 3, 4));
    expect(numbers()).toEqual([1, 2, 1, 2]);
  });

  test("is read again where a record was pushed to the next page", async () => {
    const { api, numbers } = giving(calm(4, 1, 2), calm(4, 2, 3), calm(4, 1, 2), calm(4, 3, 4));
    expect(await readPages(api, path, {})).toEqual(rows(1, 2, 3, 4));
    expect(numbers()).toEqual([1, 2, 1, 2]);
  });

  test("is read three times at most", async () => {
    const moving = [1, 2, 3, 4].flatMap((at) => [calm(4, at, at + 1), calm(3, at + 2)]);
    const { api, numbers } = giving(...moving);
    expect(await readPages(api, path, {})).toEqual(rows(3, 4, 5));
    expect(numbers()).toEqual([1, 2, 1, 2, 1, 2]);
  });

  test("is told by a move on any page, though the next ones are calm", async () => {
    const three = (total: number, ...ids: number[]) => ({ data: rows(...ids), last_page: 3, total });
    const { api, numbers } = giving(three(6, 1), three(5, 2), three(5, 3));
    await readPages(api, path, {});
    expect(numbers().slice(0, 4)).toEqual([1, 2, 3, 1]);
  });
});
