import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Api, Request } from "../../../provider/api/api";
import { RecordReader } from "../../../provider/records/reader";
import { pixel, website } from "../../../provider/resources";
import type { RemoteRecord } from "../../../provider/schema/codec";
import { required } from "../../../provider/schema/field";
import type { Resource, Values } from "../../../provider/schema/resource";
import { rejection } from "../../rejection";
import { type ListWays, silent } from "../../service/lists";
import { banner } from "../made-up";
import { upTo } from "../sites";
import { ids, listService, path, record, thing } from "./list-service";

const always = () => true;
/** Until all that is under way has gone as far as it can. */
const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** As the engine asks: eight at a time, or one after the other. */
async function readAll(
  records: RecordReader,
  wanted: readonly string[],
  { lanes = 8, isExpected = always as (listed: RemoteRecord) => boolean } = {},
) {
  const waiting = [...wanted];
  const found = new Map<string, unknown>();
  const lane = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift())
      found.set(id, await records.readById(id, isExpected));
  };
  await Promise.all(upTo(lanes).map(lane));
  return wanted.map((id) => found.get(id));
}
/** The same order each time, and none that anything could count on. */
const shuffled = (all: readonly string[]) => {
  const place = (id: string) => (Number(id) * 7919) % 1009;
  return [...all].sort((one, other) => place(one) - place(other));
};
/** Requests by kind. */
function kinds({ lines }: ReturnType<typeof listService>) {
  const list = lines().filter((line) => line.startsWith("list")).length;
  return { list, single: lines().length - list };
}

describe("requests for records that are asked for", () => {
  test.each([
    [1, 1, { list: 1, single: 0 }],
    // The first page was asked for at once instead of waiting for other reads.
    [1, 150, { list: 1, single: 1 }],
    [20, 10_000, { list: 1, single: 20 }],
    [1000, 1000, { list: 10, single: 0 }],
    [30, 300, { list: 3, single: 0 }],
  ])("%i of %i are %o", async (wanted, count, expected) => {
    const here = listService(ids(count));
    const sought = shuffled(ids(wanted).map((id) => String(Math.floor((Number(id) * count) / wanted))));
    expect(await readAll(here.records, sought)).toEqual(sought.map((id) => record(id)));
    expect(kinds(here)).toEqual(expected);
  });

  test("250 of 250 that are asked for one after the other are the whole list once that pays", async () => {
    const here = listService(ids(250));
    await readAll(here.records, shuffled(ids(250)), { lanes: 1 });
    expect(here.lines().length).toBeLessThan(10);
  });
});

test("a record is read as soon as its page has come, and one that no page shows when all have", async () => {
  const { api, service } = listService(ids(150));
  const second = Promise.withResolvers<void>();
  const slow: Api = async (request) => {
    if (request.query?.page === "2") await second.promise;
    return api(request);
  };
  const records = new RecordReader(slow, thing);
  const wanted = ["7", "99", "120", "151"];
  const found: string[] = [];
  const reading = wanted.map((id) => records.readById(id, always).finally(() => found.push(id)));
  expect(await Promise.all(reading.slice(0, 2))).toEqual([record("7"), record("99")]);
  service.rows = [...service.rows, { id: "151" }];
  expect([found, records.lacks("151")]).toEqual([["7", "99"], false]);
  second.resolve();
  expect(await Promise.all(reading)).toEqual(wanted.map((id) => record(id)));
});

describe("a list that is being read", () => {
  /** A service of 250 records whose later pages, and its single records, come when `turn` has ended. */
  function slow(turn: (request: Request) => Promise<unknown>) {
    const listed = listService(ids(250));
    const isFirstPage = (request: Request) => request.path === path && request.query?.page === undefined;
    const api: Api = async (request) => {
      if (!isFirstPage(request)) await turn(request);
      return listed.api(request);
    };
    return { ...listed, records: new RecordReader(api, thing) };
  }

  test("comes before the records that it shows otherwise than expected, even if they are asked for one after the other", async () => {
    const here = slow(settled);
    const wanted = ids(60);
    const found = await readAll(here.records, wanted, { lanes: 1, isExpected: () => false });
    expect(found).toEqual(wanted.map((id) => record(id)));
    expect(kinds(here)).toEqual({ list: 4, single: 60 });
  });

  test("shows a record as its last page does, if an earlier one shows it otherwise than expected", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { records, lines, service } = slow(() => promise);
    const reading = readAll(records, ["7", "8"], { isExpected: ({ values }) => values.at === 1 });
    await settled();
    service.rows = service.rows.map(({ id }) => ({ id: id === "101" ? "7" : id, at: 1 }));
    resolve();
    expect(await reading).toEqual([record("7", 1), record("8", 1)]);
    expect(lines()).toEqual(["list", "list 2", "list 3", "list 4", "8"]);
  });

  test("is not asked for again if it fails later, though the records that were asked for had come", async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const { records, lines } = slow(({ query }) => (query === undefined ? settled() : promise));
    expect(await readAll(records, ["7", "8"])).toEqual([record("7"), record("8")]);
    reject(new Error("no answer"));
    await settled();
    expect(await readAll(records, ["9", "10"])).toEqual([record("9"), record("10")]);
    expect(lines()).toEqual(["list", "9", "10"]);
  });
});

test("a record that is written while the list is read is not taken from that", async () => {
  const { records, lines } = listService(ids(3));
  const reading = records.readById("2", always);
  records.invalidate("2", record("2", 5));
  await reading;
  expect(lines()).toEqual(["list", "2"]);
  expect([records.listedById()("1"), records.listedById()("2")]).toEqual([record("1"), undefined]);
});

test("a list that could not be read shows nothing, and is asked for again", async () => {
  const { api } = listService(ids(3));
  const answers = [Promise.reject(new Error("no answer"))];
  const records = new RecordReader((request) => answers.pop() ?? api(request), thing);
  await rejection(records.findByKey("2"));
  expect(records.lacks("9")).toBe(false);
  expect(await records.findByKey("2")).toEqual([record("2")]);
});

test("a list that shows a record otherwise than is expected is not believed", async () => {
  const { api, lines } = listService(ids(3));
  const body = { data: [{ id: "1", at: 9 }, { id: "2" }] };
  const lying: Api = async (request) => (request.path === path ? { status: 200, body } : api(request));
  const records = new RecordReader(lying, thing);
  const asExpected = ({ values }: { values: Values }) => values.at === undefined;
  const found = await Promise.all(["1", "2"].map((id) => records.readById(id, asExpected)));
  expect(found).toEqual([record("1"), record("2")]);
  expect(lines()).toEqual(["1"]);
});

describe("records by their key", () => {
  test("are free by a list of two minutes at most", async () => {
    const { records, service, lines } = listService(ids(3));
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    expect(await records.findByKey("9")).toEqual([]);
    service.rows = [...service.rows, { id: "9" }];
    vi.advanceTimersByTime(119_000);
    expect(await records.findByKey("9")).toEqual([]);
    vi.advanceTimersByTime(2_000);
    expect(await records.findByKey("9")).toEqual([record("9")]);
    expect(lines()).toEqual(["list", "list"]);
  });

  test.each<[string, number, ListWays, number]>([
    ["a list that is whole", 90, {}, 1],
    ["a search, if the list would cost more", 950, {}, 2],
    ["a search, if the list is cut off", 950, { page: "ignored", says: silent }, 4],
    ["the list, if the search is cut off too, and shows it", 950, { searches: false }, 11],
  ])("are found by %s", async (_, count, manner, most) => {
    const { records, lines } = listService(ids(count), manner);
    const id = count < 901 ? "77" : "901";
    expect(await records.findByKey(id)).toContainEqual(record(id));
    expect(lines().length).toBeLessThanOrEqual(most);
  });

  test("are looked for without a look at every other one", async () => {
    let canonicals = 0;
    const name = required<string>({
      ...thing.inputs.name,
      canonical: (value) => {
        canonicals += 1;
        return value;
      },
    });
    const { api } = listService(ids(900));
    const records = new RecordReader(api, { ...thing, inputs: { name } });
    for (const id of ids(500)) {
      await records.findByKey(`new ${id}`);
      records.invalidate(`900${id}`, record(`new ${id}`));
    }
    expect(canonicals).toBeLessThan(900 + 3 * 500);
  });

  test("are none if the list is cut off, and the search finds none", async () => {
    const { records } = listService(ids(150), { page: "ignored", says: silent });
    expect(await records.findByKey("new")).toEqual([]);
  });

  test.each([
    ["new", "its search is not one"],
    ["odd", "it can't be searched for"],
  ])("%s can't be told if the list is cut off, and %s", async (key) => {
    const { records } = listService(ids(150), { page: "ignored", says: silent, searches: false });
    expect((await rejection(records.findByKey(key))).message).toContain(
      "the service's list ends after record 100, but may be incomplete, and no search completes it, so",
    );
  });

  test("can't be told beside a record that can't be read", async () => {
    const records = new RecordReader(async () => ({ status: 200, body: { data: [{}] } }), thing);
    expect((await rejection(records.findByKey("new"))).message).toContain(
      "the service lists a record without an id or a name that can be read, so",
    );
  });

  test.each<[string, string[], (records: RecordReader) => void]>([
    ["has slipped while one came in and one went", ["900", "901"], () => {}],
    ["may have slipped, since this run deletes one", ["900"], (records) => records.invalidate("5")],
  ])("are searched for where one %s", async (_, added, tell) => {
    const { api, lines, service } = listService(ids(250));
    const records: RecordReader = new RecordReader(async (request) => {
      const answer = await api(request);
      if (request.query?.page !== undefined) return answer;
      tell(records);
      service.rows = [...service.rows.filter(({ id }) => id !== "5"), ...added.map((id) => ({ id }))];
      return answer;
    }, thing);
    const found = await Promise.all(["101", "101", "101"].map((key) => records.findByKey(key)));
    expect(found[0]).toContainEqual(record("101"));
    expect(lines()).toContain("search 101");
  });

  test("are in the list, and not searched for, if only what this run makes was added while it was read", async () => {
    const { api, lines, service } = listService(ids(250));
    const records: RecordReader = new RecordReader(async (request) => {
      const answer = await api(request);
      if (request.query?.page === "2") {
        service.rows = [...service.rows, { id: "900" }];
        records.invalidate("900", record("900"));
      }
      return answer;
    }, thing);
    const found = await Promise.all(["201", "new"].map((key) => records.findByKey(key)));
    expect(found).toEqual([[record("201")], []]);
    expect(lines()).toEqual(["list", "list 2", "list 3"]);
  });

  test("that are fresh are asked for now: by the search, else by the list", async () => {
    const made = listService(["1", "2", "odd"]);
    const api: Api = (request) =>
      request.query?.search === "2"
        ? Promise.resolve({ status: 200, body: { data: [] } })
        : made.api(request);
    const records = new RecordReader(api, thing);
    await records.findByKey("1");
    expect(await records.findByKey("1", { fresh: true })).toEqual([record("1")]);
    expect(made.lines()).toEqual(["list", "search 1"]);
    for (const key of ["2", "odd"])
      expect(await records.findByKey(key, { fresh: true })).toContainEqual(record(key));
  });
});

test("what this run writes is found by its old key or its new one as it is now, and by no other", async () => {
  const { records, service, lines } = listService(ids(3));
  await records.findByKey("9");
  records.invalidate("2", record("9"));
  service.rows = [{ id: "1" }, { id: "2", at: 1 }, { id: "3" }];
  expect(await records.findByKey("2")).toEqual([record("2", 1)]);
  expect(await records.findByKey("9")).toEqual([]);
  expect(await records.findByKey("3")).toEqual([record("3")]);
  expect(lines()).toEqual(["list", "search 2", "search 9", "list"]);
});

describe("a search", () => {
  /** What is asked for first when a key is looked up now. */
  const asked = async (resource: Resource, key: string) => {
    const { api, asked } = listService([]);
    const there: Api = (request) => api({ ...request, path });
    await new RecordReader(there, resource).findByKey(key, { fresh: true });
    return asked[0]?.query;
  };
  test.each<[string, Resource, string, string, string]>([
    ["has the key's one spelling", website, "Shop.EXAMPLE.", "domain", "shop.example"],
    ["has the key's name on the wire", banner, " GA ", "name", "GA"],
    ["has a host without www.", website, "www.shop.example", "domain", "shop.example"],
    ["has www. that is not at the start", website, "my.www.shop.example", "domain", "my.www.shop.example"],
    ["has a host that only looks like it", website, "wwwx.example", "domain", "wwwx.example"],
    ["has a text that is no host as it is", pixel, "www.ads", "name", "www.ads"],
  ])("%s", async (_, resource, key, search_by, search) => {
    expect(await asked(resource, key)).toMatchObject({ search, search_by });
  });
  test("is not made for a key that some servers write otherwise", async () => {
    const byType = { ...pixel, key: "type" } as const;
    expect(await asked(byType, "twitter")).not.toHaveProperty("search");
    expect(await asked(byType, "bing")).toMatchObject({ search: "bing", search_by: "type" });
  });
});
