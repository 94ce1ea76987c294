import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { idsOf, listing, readAll } from "./list-world";

beforeEach(() => void vi.useFakeTimers({ now: 0, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const some = ["1", "2", "3", "4"];
const more = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];

describe("a list is not held to be whole", () => {
  test("where it was begun anew while a page was on its way, which is not its first then", async () => {
    const { list } = listing(some);
    await list.readNext();
    vi.setSystemTime(120_000);
    const reading = list.readNext();
    vi.setSystemTime(120_001);
    expect(list.get("1")).toBeUndefined();
    await reading;
    expect([list.whole, list.pagesRead, list.all()]).toEqual([false, 0, []]);
    await readAll(list);
    expect([list.whole, idsOf(list)]).toEqual([true, some]);
  });

  test.each([
    ["its total stays, since one came in too", ["2", "3", "4", "5"], {}],
    ["it gives no total", ["2", "3", "4"], { total: undefined }],
  ])("where a record may have slipped while another was being deleted: %s", async (_, after, lies) => {
    const { list, service } = listing(some);
    service.lies = lies;
    await list.readNext();
    list.leave("1");
    service.ids = after;
    await list.readNext();
    list.remove("1");
    await readAll(list);
    expect([idsOf(list).includes("3"), list.whole]).toEqual([false, false]);
  });

  test("where a record was being deleted from before a page was asked for until after", async () => {
    const { list } = listing(some);
    list.leave("1");
    await readAll(list);
    expect(list.whole).toBe(false);
  });

  test("where a delete began and ended while a page was on its way", async () => {
    const { list } = listing(some);
    await list.readNext();
    const reading = list.readNext();
    list.leave("9");
    list.remove("9");
    await reading;
    expect(list.whole).toBe(false);
  });

  test("where it lags behind a delete, so that a page brings nothing new before the last", async () => {
    const { list, service } = listing(["1", "2", "3", "4", "5", "6"]);
    service.said.total = false;
    for (const page of [1, 2]) await list.readNext(page);
    list.remove("1");
    await readAll(list);
    expect([idsOf(list).includes("5"), list.whole]).toEqual([false, false]);
  });

  test("where it shows fewer than it says there are", async () => {
    const { list, service } = listing(some);
    service.lies = { last_page: 1 };
    await readAll(list);
    expect([idsOf(list), list.whole]).toEqual([["1", "2"], false]);
    service.lies = { last_page: 1, total: 2 };
    vi.setSystemTime(120_001);
    await readAll(list);
    expect(list.whole).toBe(true);
  });
});

describe("a page read before its turn is read again", () => {
  test("where the list says that it has become shorter, in pages alone", async () => {
    const { list, service } = listing(more);
    service.said.total = false;
    for (const page of [1, 5]) await list.readNext(page);
    service.ids = more.slice(0, 6);
    await readAll(list);
    expect([list.whole, idsOf(list)]).toEqual([true, more.slice(0, 6)]);
  });

  test.each([true, false])(
    "where a record has come in before it, and the list gives a total: %s",
    async (says) => {
      const { list, service, pages } = listing(["1", "2", "5", "6", "8", "9"]);
      service.said.total = says;
      for (const page of [1, 3]) await list.readNext(page);
      service.ids = ["1", "2", "4", "5", "6", "8", "9"];
      await readAll(list);
      expect(pages()).toEqual([1, 3, 2, 3, 4]);
      expect([list.whole, idsOf(list)]).toEqual([true, service.ids]);
    },
  );
});

describe("a record that this run changes", () => {
  test("keeps its place, also where it is deleted later on", async () => {
    const { list, service } = listing(some);
    await list.readNext();
    list.forget("1");
    service.ids = ["2", "3", "4"];
    list.remove("1");
    await readAll(list);
    expect([list.whole, idsOf(list)]).toEqual([true, ["2", "3", "4"]]);
  });

  test.each(["forget", "remove"] as const)(
    "is not taken from a page that was on its way: %s",
    async (change) => {
      const { list } = listing(some);
      await list.readNext();
      const reading = list.readNext();
      list[change]("3");
      await reading;
      expect([list.get("3"), list.get("4")]).toEqual([undefined, { id: "4" }]);
    },
  );

  test("stands in the list as it was changed to, if it stands there, and is not known as the service has it", async () => {
    const { list } = listing(some);
    await list.readNext();
    const changed = { id: "1", name: "new" };
    list.forget("1");
    list.learn(changed);
    list.learn({ id: "9" });
    list.learn({ id: undefined });
    expect(list.all()).toEqual([changed, { id: "2" }]);
    expect(list.get("1")).toBeUndefined();
  });
});
