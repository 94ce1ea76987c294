import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { listing, readAll } from "./list-world";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

describe("a list", () => {
  test("is read page by page, oldest first, to the last page that it names", async () => {
    const { list, asked } = listing(["1", "2", "3", "4", "5"]);
    expect([list.pagesRead, list.pagesLeft, list.whole]).toEqual([0, Number.POSITIVE_INFINITY, false]);
    await list.readNext();
    expect([list.pagesRead, list.pagesLeft, list.whole]).toEqual([1, 2, false]);
    await readAll(list);
    expect([list.pagesRead, list.pagesLeft, list.whole]).toEqual([3, 0, true]);
    expect(list.all().map(({ id }) => id)).toEqual(["1", "2", "3", "4", "5"]);
    expect(asked[2]).toEqual({ per_page: "100", sort_by: "id", sort: "asc", page: "3" });
  });

  test("without paging data is read until a page brings nothing new", async () => {
    const { list, service, pages } = listing(["1", "2", "3"]);
    service.said = { last_page: false, total: false };
    await readAll(list);
    expect(pages()).toEqual([1, 2, 3]);
    expect(list.whole).toBe(true);
  });

  test("that is empty is read once", async () => {
    const { list, pages } = listing([]);
    await readAll(list);
    expect([pages(), list.whole, list.all()]).toEqual([[1], true, []]);
  });

  test("gives each record, also those without an id that can be held", async () => {
    const { list } = listing(["1", undefined, undefined]);
    await readAll(list);
    expect(list.all()).toHaveLength(3);
    expect(list.get("1")).toEqual({ id: "1" });
    expect(list.get("2")).toBeUndefined();
  });

  test("does not give a record that was forgotten, and keeps its place", async () => {
    const { list, pages } = listing(["1", "2", "3"]);
    await list.readNext();
    list.forget("2");
    expect(list.get("2")).toBeUndefined();
    await readAll(list);
    expect(pages()).toEqual([1, 2]);
  });
});

describe("a list from which a record is deleted by others", () => {
  test("may have let one slip, and is not whole", async () => {
    const { list, service } = listing(["1", "2", "3", "4"]);
    await list.readNext();
    service.ids = ["2", "3", "4"];
    await readAll(list);
    expect([list.pagesLeft, list.whole]).toEqual([0, false]);
  });
  test("is whole where it grew, or does not say how long it is", async () => {
    for (const says of [true, false]) {
      const { list, service } = listing(["1", "2", "3"]);
      service.said.total = says;
      await list.readNext();
      service.ids = ["1", "2", "3", "4"];
      service.said.total = true;
      await readAll(list);
      expect(list.whole).toBe(true);
    }
    const { list, service } = listing(["1", "2", "3"]);
    await list.readNext();
    service.said.total = false;
    await readAll(list);
    expect(list.whole).toBe(true);
  });
});

describe("a record that this run deletes", () => {
  const without = (ids: string[], ...gone: string[]) => ids.filter((id) => !gone.includes(id));
  const ids = ["1", "2", "3", "4", "5", "6", "7"];

  test("moves those after it up, so that a page is read again, and none is missed", async () => {
    const { list, service, pages } = listing(ids);
    await list.readNext();
    await list.readNext();
    for (const id of ["1", "3"]) list.remove(id);
    service.ids = without(ids, "1", "3");
    await readAll(list);
    expect(pages()).toEqual([1, 2, 2, 3]);
    expect(list.whole).toBe(true);
    expect(list.all().map(({ id }) => id)).toEqual(["2", "4", "5", "6", "7"]);
  });
  test("and that was not read yet moves nothing that was", async () => {
    const { list, service, pages } = listing(ids);
    await list.readNext();
    list.remove("7");
    service.ids = without(ids, "7");
    await readAll(list);
    expect(pages()).toEqual([1, 2, 3]);
    expect(list.whole).toBe(true);
  });
  test("never moves the next page before the first", async () => {
    const { list, service, pages } = listing(["1", "2"]);
    await list.readNext();
    for (const id of ["1", "2", "1"]) list.remove(id);
    service.ids = ["3"];
    await list.readNext();
    expect(pages()).toEqual([1, 1]);
  });
});

describe("a page read before its turn", () => {
  const ids = ["1", "2", "3", "4", "5", "6", "7", "8"];

  test("shows what is sought, and is not read again when its turn comes", async () => {
    const { list, pages } = listing(ids);
    expect(list.pageFor("5")).toBe(1);
    await list.readNext();
    expect(list.pageFor("5")).toBe(3);
    await list.readNext(3);
    expect(list.get("5")).toEqual({ id: "5" });
    expect([list.all().length, list.pagesLeft, list.whole]).toEqual([2, 2, false]);
    expect(["1", "2", "5", "6"].map((id) => list.pageFor(id))).toEqual(Array(4).fill(undefined));
    await readAll(list);
    expect(pages()).toEqual([1, 3, 2, 4]);
    expect([list.whole, list.all().map(({ id }) => id)]).toEqual([true, ids]);
    expect(list.pageFor("9")).toBeUndefined();
  });

  test("in a row with others, are all of them passed when their turn comes", async () => {
    const { list, pages } = listing(ids);
    for (const page of [1, 4, 3, 2]) await list.readNext(page);
    expect([list.whole, list.pagesLeft, list.all().length]).toEqual([true, 0, 8]);
    expect(pages()).toEqual([1, 4, 3, 2]);
  });

  test("is read again where one was deleted, and its records are known all the same", async () => {
    const { list, service, pages } = listing(ids);
    for (const page of [1, 3]) await list.readNext(page);
    list.remove("6");
    service.ids = ids.filter((id) => id !== "6");
    expect([list.get("5"), list.get("6"), list.pagesLeft]).toEqual([{ id: "5" }, undefined, 3]);
    await readAll(list);
    expect(pages()).toEqual([1, 3, 2, 3, 4]);
    expect([list.whole, list.all().map(({ id }) => id)]).toEqual([true, service.ids]);
  });

  test("does not say how a record is that was forgotten, neither then nor in its turn", async () => {
    const { list } = listing(ids);
    for (const page of [1, 3]) await list.readNext(page);
    list.forget("5");
    expect(list.get("5")).toBeUndefined();
    await readAll(list);
    expect(list.get("5")).toBeUndefined();
    expect(list.all().map(({ id }) => id)).toEqual(ids);
  });

  test.each([
    ["its own ids do not rise", ["1", "2", "5", "6", "4", "3", "8", "9"]],
    ["they are not greater than those from the beginning", ["1", "5", "6", "7", "2", "3", "8", "9"]],
    ["the pages before it turn out to have greater ones", ["1", "2", "7", "8", "3", "4", "5", "6"]],
  ])("is read again where ids tell nothing, since %s", async (_, strange) => {
    const { list, pages } = listing(strange);
    for (const page of [1, 3]) await list.readNext(page);
    await readAll(list);
    expect(pages()).toEqual([1, 3, 2, 3, 4]);
    expect([list.whole, list.all().map(({ id }) => id)]).toEqual([true, strange]);
  });

  test.each([
    ["ids fall", ["8", "7", "6", "5"], "5"],
    ["ids are words", ["a", "b", "c", "d"], "d"],
    ["the id sought is a word", ids, "word"],
  ])("is not tried where %s", async (_, strange, sought) => {
    const { list } = listing(strange);
    await list.readNext();
    expect(list.pageFor(sought)).toBe(2);
  });

  test("is not tried where nobody knows how many there are", async () => {
    const { list, service } = listing(ids);
    service.said.last_page = false;
    await list.readNext();
    expect(list.pageFor("8")).toBe(2);
  });

  test("is not read before the first", async () => {
    const { list, pages } = listing(ids);
    await list.readNext(3);
    expect(pages()).toEqual([1]);
  });
});

test("a record deleted while a page is on its way may have slipped through, and the list is not whole", async () => {
  const { list } = listing(["1", "2", "3", "4"]);
  await list.readNext();
  const reading = list.readNext();
  list.remove("1");
  await reading;
  expect([list.pagesLeft, list.whole]).toEqual([0, false]);
});

describe("the proof that a service gives a list", () => {
  test("costs one page, and none where one was read", async () => {
    const { list, pages } = listing(["1", "2", "3"]);
    expect([await list.proves(), await list.proves()]).toEqual([true, true]);
    expect(pages()).toEqual([1]);
  });
  test("is none where another key was answered", async () => {
    const { list, service } = listing(["1"]);
    service.spareKey = true;
    expect(await list.proves()).toBe(false);
  });
});

test("what was read before its turn serves no longer either", async () => {
  const { list } = listing(["1", "2", "3", "4", "5", "6"]);
  for (const page of [1, 3]) await list.readNext(page);
  vi.setSystemTime(120_000);
  expect(list.get("5")).toBeDefined();
  vi.setSystemTime(120_001);
  expect(list.get("5")).toBeUndefined();
  expect([list.pagesLeft, list.pageFor("5")]).toEqual([Number.POSITIVE_INFINITY, 1]);
});

test("what was read serves for two minutes, and then is read anew", async () => {
  const { list, service, pages } = listing(["1", "2", "3", "4"]);
  await list.readNext();
  service.ids = ["2", "3", "4"];
  await readAll(list);
  expect(list.whole).toBe(false);
  vi.setSystemTime(120_000);
  expect(list.get("2")).toBeDefined();
  vi.setSystemTime(120_001);
  expect(list.get("2")).toBeUndefined();
  expect([list.all(), list.pagesRead, list.pagesLeft]).toEqual([[], 0, Number.POSITIVE_INFINITY]);
  await readAll(list);
  expect([list.whole, list.all().length]).toEqual([true, 3]);
  expect(pages()).toEqual([1, 2, 1, 2]);
});
