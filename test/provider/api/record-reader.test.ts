import { describe, expect, onTestFinished, test, vi } from "vitest";
import { dialectNames } from "../../../emulator";
import { type Api, ApiError } from "../../../provider/api/api";
import { RecordReader } from "../../../provider/api/record-reader";
import { website } from "../../../provider/resources";
import { matchesState } from "../../../provider/schema/compare";
import { rejection, run, service } from "../harness";
import { site, stateOf, upTo } from "../sites";
import { collection, ids, listService, type Manner, path, silent } from "./list-service";

const always = () => true;

function world(count: number, manner: Manner = {}, patience?: number) {
  const made = listService(ids(count), manner);
  return { ...made, records: new RecordReader(made.api, collection, patience) };
}
type Reader = ReturnType<typeof world>["records"];

/** As the engine asks: eight at a time. */
async function readAll(records: Reader, wanted: readonly string[], then = async (_id: string) => {}) {
  const waiting = [...wanted];
  const found = new Map<string, unknown>();
  const lane = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      found.set(id, await records.read(id, always));
      await then(id);
    }
  };
  await Promise.all(upTo(8).map(lane));
  return wanted.map((id) => found.get(id));
}
/** The same order each time, and none that anything could count on. */
const shuffled = (all: readonly string[]) => {
  const place = (id: string) => (Number(id) * 7919) % 1009;
  return [...all].sort((one, other) => place(one) - place(other));
};

describe("requests for records that are asked for", () => {
  const spread = (count: number, of: number) =>
    ids(count).map((id) => String(Math.floor((Number(id) * of) / count)));
  test.each([
    [1000, 1000, 10],
    [30, 300, 3],
    [3, 1000, 4],
    [50, 10_000, 51],
    [250, 250, 3],
    [150, 10_000, 300],
    [1, 300, 1],
  ])("%i of %i are %i", async (wanted, count, most) => {
    const { records, lines } = world(count);
    const sought = shuffled(spread(wanted, count));
    expect(await readAll(records, sought)).toEqual(sought.map((id) => ({ id })));
    expect(lines().length).toBeLessThanOrEqual(most);
    expect(lines().length).toBeLessThanOrEqual(2 * wanted + 2);
  });

  test("1000 of 1000 are 10 where each is changed or deleted at once", async () => {
    for (const next of [{ id: "x" }, undefined]) {
      const { records, lines, service } = world(1000);
      await readAll(records, shuffled(ids(1000)), async (id) => {
        records.invalidate(id, next);
        if (next === undefined) service.rows = service.rows.filter((row) => row.id !== id);
      });
      expect(lines()).toHaveLength(10);
    }
  });

  test("one after the other are two each at most, and two", async () => {
    const { records, lines } = world(1000);
    for (const id of ids(40)) {
      await records.read(id, always);
      expect(lines().length).toBeLessThanOrEqual(2 * Number(id) + 2);
    }
    expect(lines().length).toBeLessThanOrEqual(22);
  });

  test.each([
    ["that are gone", () => new ApiError({ method: "GET", path }, "missing", "gone"), { data: [] }],
    ["that are there where the list is refused", undefined, undefined],
    [
      "of a service whose addresses are all wrong",
      () => new ApiError({ method: "GET", path }, "missing", "gone"),
      undefined,
    ],
  ])("twenty %s are one each, and two", async (_, single, list) => {
    let asked = 0;
    const api: Api = async (request) => {
      asked += 1;
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (request.path !== path && single) throw single();
      if (request.path === path && list === undefined) throw new ApiError(request, "rejected", "forbidden");
      return { status: 200, body: request.path === path ? list : { id: 1 } };
    };
    const records = new RecordReader(api, collection);
    await Promise.allSettled(ids(20).map((id) => records.read(id, always)));
    expect(asked).toBeLessThanOrEqual(22);
  });

  test.each(dialectNames)("250 in the dialect %s are a page for every hundred and one", async (dialect) => {
    const { url, control } = await service({ dialect, seed: { websites: upTo(250).map(site) } });
    const { records } = run(website, url);
    const read = (id: number) =>
      records.read(`${id}`, (listed) => matchesState(website, stateOf(id), listed));
    expect(await Promise.all(upTo(250).map(read))).toMatchObject(upTo(250).map((id) => ({ id: `${id}` })));
    const asked = await control.requests();
    expect(asked.length).toBeLessThanOrEqual(dialect === "bare" ? 4 : 3);
    expect(asked.filter((entry) => entry.path !== website.path)).toEqual([]);
  });
});

describe("who asks", () => {
  test("alone is given the record, and the list is left alone", async () => {
    const { records, lines } = world(2);
    expect(await records.read("1", always)).toEqual({ id: "1" });
    expect(lines()).toEqual(["1"]);
  });

  test("first waits for others as long as it is told to, and no other does", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { records, lines } = world(2, {}, 100);
    const first = records.read("1", always);
    await vi.advanceTimersByTimeAsync(99);
    const second = records.read("2", always);
    await vi.advanceTimersByTimeAsync(99);
    expect(lines()).toEqual([]);
    await vi.advanceTimersByTimeAsync(100);
    expect(await Promise.all([first, second])).toEqual([{ id: "1" }, { id: "2" }]);
    expect(lines()).toEqual(["list"]);
    records.invalidate("1", { id: "1" });
    expect(await records.read("1", always)).toEqual({ id: "1" });
  });

  test("again after two minutes is not given what was read before", async () => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(1);
    onTestFinished(() => clock.mockRestore());
    const { records, lines, service } = world(2);
    await readAll(records, ["1", "2"]);
    service.rows = [{ id: "1", at: 1 }, { id: "2" }];
    clock.mockReturnValue(120_001);
    expect(await records.read("1", always)).toEqual({ id: "1" });
    expect(lines()).toEqual(["list"]);
    clock.mockReturnValue(120_002);
    expect(await records.read("1", always)).toEqual({ id: "1", at: 1 });
  });
});

describe("a list that lies is not believed", () => {
  const listing = (data: object[]) => {
    const made = world(3);
    const api: Api = (request) =>
      request.path === path ? Promise.resolve({ status: 200, body: { data } }) : made.api(request);
    return { ...made, records: new RecordReader(api, collection) };
  };

  test("where it does not show a record that is there", async () => {
    const { records } = listing([]);
    expect(await readAll(records, ids(3))).toEqual(ids(3).map((id) => ({ id })));
  });

  test("where it shows a record otherwise than is expected", async () => {
    const { records, lines } = listing([{ id: "1", at: 9 }, { id: "2" }]);
    const asExpected = ({ at }: { at?: number }) => at === undefined;
    expect(await Promise.all(["1", "2"].map((id) => records.read(id, asExpected)))).toEqual([
      { id: "1" },
      { id: "2" },
    ]);
    expect(lines()).toEqual(["1"]);
  });

  test("where it can't be had, and each record is asked for by itself", async () => {
    const { url, control } = await service({ seed: { websites: upTo(20).map(site) } });
    await control.addFault({ match: { path: website.path, times: 0 }, reply: { status: 403, body: {} } });
    const { records } = run(website, url);
    const found = await Promise.all(upTo(20).map((id) => records.read(`${id}`, () => true)));
    expect(found).toMatchObject(upTo(20).map((id) => ({ id: `${id}` })));
  });
});

describe("records by their key", () => {
  test.each<[string, number, Manner, string[]]>([
    ["a list that is whole", 90, {}, ["list"]],
    ["a search, where the list would cost more", 950, {}, ["list", "search 901"]],
    [
      "a search, where the list is cut off",
      950,
      { page: "ignored", says: silent },
      ["list", "list 2", "search 901", "search 901 2"],
    ],
    [
      "the list, where the search is cut off too, and shows it",
      950,
      { searches: false },
      ["list", "search 901", ...ids(9, 2).map((at) => `search 901 ${at}`)],
    ],
  ])("are found by %s", async (_, count, manner, requests) => {
    const { records, lines } = world(count, manner);
    expect(await records.findByKey(count < 901 ? "77" : "901")).toContainEqual({
      id: count < 901 ? "77" : "901",
    });
    expect(lines()).toEqual(requests);
  });

  test("are none where the list is cut off, and the search finds none", async () => {
    const { records } = world(150, { page: "ignored", says: silent });
    expect(await records.findByKey("new")).toEqual([]);
  });

  test.each([
    ["new", "its search is not one"],
    ["odd", "it can't be searched for"],
  ])("%s can't be told where the list is cut off, and %s", async (key) => {
    const { records } = world(150, { page: "ignored", says: silent, searches: false });
    expect((await rejection(records.findByKey(key))).message).toContain("cut off after 100 records");
  });

  test("for many are found by one list", async () => {
    const { records, lines } = world(250);
    await Promise.all(ids(30).map((at) => records.findByKey(`new-${at}`)));
    expect(lines()).toEqual(["list", "list 2", "list 3"]);
  });

  test.each([
    ["has slipped while one came in and one went", honestMove],
    ["may have slipped, since this run deletes one that it shows", deleteMeanwhile],
  ])("are searched for where one %s", async (_, move) => {
    const made = listService(ids(250));
    const reader: { current?: Reader } = {};
    const api: Api = async (request) => {
      const answer = await made.api(request);
      if (request.query?.page === "2") move(made.service, reader.current as Reader);
      return answer;
    };
    const records = new RecordReader(api, collection);
    reader.current = records;
    const found = await Promise.all(["201", "201", "201"].map((key) => records.findByKey(key)));
    expect(found[0]).toContainEqual({ id: "201" });
    expect(made.lines()).toContain("search 201");
  });

  test("that are fresh are asked for now: by the search, and no more where that finds one", async () => {
    const { records, lines } = world(3);
    await records.findByKey("1");
    expect(await records.findByKey("1", { fresh: true })).toEqual([{ id: "1" }]);
    expect(lines()).toEqual(["list", "search 1"]);
  });

  test("that are fresh are sought in the list where the search finds none, or can't be asked", async () => {
    const made = listService(["1", "odd"]);
    const api: Api = (request) =>
      request.query?.search === undefined
        ? made.api(request)
        : Promise.resolve({ status: 200, body: { data: [] } });
    const records = new RecordReader(api, collection);
    for (const key of ["1", "odd"])
      expect(await records.findByKey(key, { fresh: true })).toContainEqual({ id: key });
  });
});

function honestMove(service: { rows: { id: string }[] }) {
  service.rows = [...service.rows.filter(({ id }) => id !== "5"), { id: "900" }, { id: "901" }];
}
function deleteMeanwhile(service: { rows: { id: string }[] }, records: Reader) {
  records.invalidate("5");
  service.rows = [...service.rows.filter(({ id }) => id !== "5"), { id: "900" }];
}

describe("what this run writes", () => {
  test("is asked for anew, and the list is not read again for it", async () => {
    const { records, service, lines } = world(5);
    await readAll(records, ids(5));
    records.invalidate("3", { id: "3" });
    service.rows = service.rows.map(({ id }) => ({ id, at: 1 }));
    expect(await readAll(records, ["3", "4"])).toEqual([{ id: "3", at: 1 }, { id: "4" }]);
    expect(lines()).toEqual(["list", "3"]);
  });

  test("is found by its old key or its new one as it is now, and by no other", async () => {
    const { records, service, lines } = world(3);
    await records.findByKey("9");
    records.invalidate("2", { id: "9" });
    service.rows = [{ id: "1" }, { id: "2", at: 1 }, { id: "3" }];
    for (const key of ["2", "9"]) expect(await records.findByKey(key)).toContainEqual({ id: "2", at: 1 });
    expect(await records.findByKey("7")).toEqual([{ id: "1" }, { id: "3" }]);
    // Where the search finds none, it may lag behind.
    expect(lines()).toEqual(["list", "search 2", "search 9", "list"]);
  });

  test("is not found where it was deleted", async () => {
    const { records, service } = world(3);
    await records.findByKey("9");
    records.invalidate("2");
    service.rows = [{ id: "1" }, { id: "3" }];
    expect(await records.findByKey("2")).toEqual([{ id: "1" }, { id: "3" }]);
  });
});
