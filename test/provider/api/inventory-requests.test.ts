import { expect, onTestFinished, test, vi } from "vitest";
import { type Api, ApiError } from "../../../provider/api/api";
import { Inventory } from "../../../provider/api/inventory";
import { paged, type Row } from "./list-world";

const path = "/api/v1/websites";

/** The inventory of a service with these records, whose search finds those alone that are named. */
function inventory(ids: readonly string[], findable: readonly string[] = ids, patience?: number) {
  const asked: string[] = [];
  const api: Api = async (request) => {
    const search = request.query?.search;
    asked.push(search === undefined ? request.path.replace(path, "") || "list" : `search ${search}`);
    const listed = (search === undefined ? ids : findable).map((id) => ({ id }));
    const body =
      request.path === path ? { data: listed, last_page: 1 } : { id: request.path.split("/").at(-1) };
    return { status: 200, body, spareKey: false };
  };
  const search = (key: unknown) => (key === "odd" ? undefined : { search: String(key) });
  const records = new Inventory<Row>(api, { path, decode: (raw) => raw as Row, search }, patience);
  return { records, asked };
}
const always = () => true;

test("one record is asked for by itself, and the list is left alone", async () => {
  const { records, asked } = inventory(["1", "2"]);
  expect(await records.see("1", always)).toEqual({ id: "1" });
  expect(asked).toEqual(["/1"]);
});

test("one of several that are about to be asked for is asked for by a list page", async () => {
  const { records, asked } = inventory(["1", "2"]);
  records.expect();
  records.expect();
  await records.see("1", always);
  await records.see("2", always);
  expect(asked).toEqual(["list"]);
});

test("the first of several waits for the next as long as it is told to, and no other does", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { records, asked } = inventory(["1", "2"], ["1", "2"], 100);
  const first = records.see("1", always);
  await vi.advanceTimersByTimeAsync(99);
  const second = records.see("2", always);
  await vi.advanceTimersByTimeAsync(99);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(await Promise.all([first, second])).toEqual([{ id: "1" }, { id: "2" }]);
  expect(asked).toEqual(["list"]);
  records.forget("1");
  const third = records.see("1", always);
  await vi.advanceTimersByTimeAsync(5);
  expect(await third).toEqual({ id: "1" });
});

test("one that is known to change does not wait for another", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { records, asked } = inventory(["1"], ["1"], 100);
  records.expect();
  const first = records.see("1", always);
  await vi.advanceTimersByTimeAsync(5);
  expect(await first).toEqual({ id: "1" });
  expect(asked).toEqual(["/1"]);
});

test("one that alone is about to be asked for is asked for by itself", async () => {
  const { records, asked } = inventory(["1", "2"]);
  records.expect();
  await records.see("1", always);
  expect(asked).toEqual(["/1"]);
});

test("two records are asked for by one list page, and one that was changed by itself from then on", async () => {
  const { records, asked } = inventory(["1", "2"]);
  await Promise.all([records.see("1", always), records.see("2", always)]);
  await records.see("1", always);
  expect(asked).toEqual(["list"]);
  records.forget("1");
  await records.see("1", always);
  expect(asked).toEqual(["list", "/1"]);
});

test("a fresh look asks the search now, and no more where that finds something", async () => {
  const { records, asked } = inventory(["1"]);
  await records.like("a");
  expect(await records.like("a", true)).toEqual([{ id: "1" }]);
  expect(asked.slice(1)).toEqual(["search a"]);
});

test("a fresh look asks the list where the search finds nothing, or can't be asked", async () => {
  const { records, asked } = inventory(["1"], []);
  expect(await records.like("a", true)).toEqual([{ id: "1" }]);
  expect(asked).toEqual(["search a", "list"]);
  expect(await records.like("odd", true)).toEqual([{ id: "1" }]);
  expect(asked).toEqual(["search a", "list", "list"]);
});

/** A service that answers each request as told: a body, or nothing for what is missing. */
function answering(answer: (path: string, page: number) => object | undefined) {
  const asked: string[] = [];
  const api: Api = async (request) => {
    asked.push(request.path);
    const body = answer(request.path, Number(request.query?.page));
    if (body === undefined) throw new ApiError(request, "missing", "gone");
    return { status: 200, body, spareKey: false };
  };
  const search = () => undefined;
  return { records: new Inventory<Row>(api, { path, decode: (raw) => raw as Row, search }), asked };
}
test("many at a wrong address cost one request each, and one for the proof of all", async () => {
  const { records, asked } = answering(() => undefined);
  const all = Array.from({ length: 20 }, (_, at) => records.see(`${at}`, always));
  expect((await Promise.allSettled(all)).every(({ status }) => status === "rejected")).toBe(true);
  expect(asked.length).toBeLessThanOrEqual(22);
});

test("the page that proves a record gone counts as one that was read", async () => {
  const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const { records, asked } = answering((asked, page) => {
    const id = asked.split("/").at(-1) ?? "";
    return asked === path ? paged(ids, page, 2) : ids.includes(id) ? { id } : undefined;
  });
  expect(await records.see("x", always)).toBeUndefined();
  await Promise.all(["g", "h"].map((id) => records.see(id, always)));
  expect(asked.length).toBeLessThanOrEqual(5);
});

test("what a page has shown is not asked for again, though it was forgotten while the next was read", async () => {
  const ids = Array.from({ length: 16 }, (_, at) => `${at + 1}`);
  const { records, asked } = answering((asked, page) => {
    if (asked !== path) return { id: asked.split("/").at(-1) };
    if (page === 4) for (const id of ids) records.forget(id);
    return paged(ids, page, 4);
  });
  const few = ["1", "2", "3", "4"];
  expect(await Promise.all(few.map((id) => records.see(id, always)))).toEqual(few.map((id) => ({ id })));
  expect(asked).toEqual([path, path, path, path]);
});

test("a list that takes longer to read than it serves is read once more, and to its end", async () => {
  vi.useFakeTimers({ now: 0, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const ids = ["1", "2", "3", "4", "5", "6"];
  const { records, asked } = answering((_, page) => {
    vi.setSystemTime(Date.now() + 70_000);
    return paged(ids, page, 2);
  });
  expect(await records.like("odd")).toEqual(ids.map((id) => ({ id })));
  expect(asked.length).toBeLessThanOrEqual(6);
});
