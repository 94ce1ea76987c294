import { beforeEach, describe, expect, test, vi } from "vitest";
import { dialectNames, type EmulatorOptions } from "../../../emulator";
import { website } from "../../../provider/resources";
import { agrees } from "../../../provider/schema/wire";
import { site, stateOf, upTo } from "../sites";
import { run, service } from "../world";

const path = website.path;
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

async function world(count: number, options: EmulatorOptions = {}) {
  const { url, control } = await service({ seed: { websites: upTo(count).map(site) }, ...options });
  const { records } = run(website, url);
  const see = (id: number) => records.see(`${id}`, (listed) => agrees(website, stateOf(`${id}`), listed));
  /** As the engine asks: a few at a time. */
  const seeAll = async (ids: readonly number[]) => {
    const waiting = [...ids];
    const found = new Map<number, unknown>();
    const lane = async () => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) found.set(id, await see(id));
    };
    await Promise.all(upTo(8).map(lane));
    return ids.map((id) => found.get(id));
  };
  const requests = async () => (await control.requests()).map((entry) => entry.path);
  return { control, records, see, seeAll, requests };
}

describe("many records asked for together", () => {
  test.each(dialectNames)("cost one list page for every hundred in the dialect %s", async (dialect) => {
    const { seeAll, requests } = await world(250, { dialect });
    const found = await seeAll(upTo(250));
    expect(found).toMatchObject(upTo(250).map((id) => ({ id: `${id}` })));
    const asked = await requests();
    // Where the newest come first whatever is asked for, the oldest are on the last page, which has to be earned.
    const singles = dialect === "legacy" ? 50 : 0;
    expect(asked.filter((each) => each !== path).length).toBeLessThanOrEqual(singles);
    expect(asked.filter((each) => each === path).length).toBeLessThanOrEqual(dialect === "bare" ? 4 : 3);
  });

  test.each([
    ["few at the end of a large account", 1000, [993, 994, 995, 996]],
    ["few that are strewn over a large account", 1000, [5, 250, 499, 730, 911]],
    ["two in the middle", 500, [250, 251]],
    ["one", 300, [7]],
    ["many at the end of a large account", 1200, upTo(150).map((at) => at + 1050)],
  ])("%s never cost more than one request a record and two", async (_, count, ids) => {
    const { seeAll, requests } = await world(count);
    expect(await seeAll(ids)).toMatchObject(ids.map((id) => ({ id: `${id}` })));
    expect((await requests()).length).toBeLessThanOrEqual(ids.length + 2);
  });

  test.each([
    ["the first page alone where the rest costs more than has been spared", 1000, 1],
    ["the whole list where the rest has been paid for", 400, 4],
  ])("found on the first page cost %s", async (_, count, pages) => {
    const { see, requests } = await world(count);
    await Promise.all([see(1), see(2)]);
    expect(await requests()).toEqual(upTo(pages).map(() => path));
  });

  test("asked for one after the other cost one request each at most", async () => {
    const { see, requests } = await world(120);
    for (const id of [1, 60, 119]) expect(await see(id)).toMatchObject({ id: `${id}` });
    expect((await requests()).length).toBeLessThanOrEqual(3);
  });

  test("one after the other are looked at alone once, and then in a page", async () => {
    const { see, requests } = await world(90);
    for (const id of upTo(30)) expect(await see(id)).toMatchObject({ id: `${id}` });
    expect(await requests()).toEqual([`${path}/1`, path]);
  });

  test("shortly after one another are asked for together", async () => {
    const { see, requests } = await world(90);
    const asked = [];
    for (const id of upTo(30)) {
      asked.push(see(id));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(asked)).toMatchObject(upTo(30).map((id) => ({ id: `${id}` })));
    expect(await requests()).toEqual([path]);
  });

  test("one after the other in a large account never cost more than one request each and two", async () => {
    const { see, requests } = await world(1000);
    const ids = upTo(12).map((at) => at * 80);
    for (const id of ids) expect(await see(id)).toMatchObject({ id: `${id}` });
    expect((await requests()).length).toBeLessThanOrEqual(ids.length + 2);
  });
});

/** The same order each time, and none that anything could count on. */
const shuffled = (ids: readonly number[]) => {
  const place = (id: number) => (id * 7919) % 1009;
  return [...ids].sort((one, other) => place(one) - place(other));
};

describe("records of a large account, asked for in no order", () => {
  test("cost one list page for every hundred", async () => {
    const { seeAll, requests } = await world(1000);
    const ids = shuffled(upTo(1000));
    expect(await seeAll(ids)).toMatchObject(ids.map((id) => ({ id: `${id}` })));
    expect(await requests()).toEqual(upTo(10).map(() => path));
  });

  test("cost one list page for every hundred where each is deleted at once", async () => {
    const { control, records, seeAll, requests } = await world(1000);
    const ids = shuffled(upTo(1000));
    const gone = [];
    for (const some of [ids.slice(0, 8), ids.slice(8, 500), ids.slice(500)]) {
      gone.push(...(await seeAll(some)));
      await Promise.all(some.map((id) => control.deleteWebsite(id)));
      for (const id of some) records.remove(`${id}`);
    }
    expect(gone).toMatchObject(ids.map((id) => ({ id: `${id}` })));
    expect(await requests()).toEqual(upTo(10).map(() => path));
  });

  test("are found, for no more than one request each and two, where a few bring much that is new", async () => {
    const others = upTo(900).map((at) => site(at));
    const clumps = upTo(60).map((at) => site(1_000_000 * (at % 3) + 5000 + at));
    const { control, records } = await world(0, { seed: { websites: [...others, ...clumps] } });
    const ids = shuffled(upTo(960)).map((at) => [...others, ...clumps][at - 1]?.id ?? 0);
    for (const id of ids) {
      expect(await records.see(`${id}`, () => true)).toMatchObject({ id: `${id}` });
      if (id % 2 === 0) continue;
      await control.deleteWebsite(id);
      records.remove(`${id}`);
    }
    const asked = (await control.requests()).map((entry) => entry.path);
    expect(asked.length).toBeLessThanOrEqual(60);
  });
});

describe("a list that lies is not believed", () => {
  test("where it shows fewer records than there are", async () => {
    const { control, seeAll } = await world(30);
    await control.configure({ lists: { abridged: 10 } });
    expect(await seeAll(upTo(30))).toMatchObject(upTo(30).map((id) => ({ id: `${id}` })));
  });

  test("where it shows less of a record than the record itself", async () => {
    const { control, records, requests } = await world(2);
    await control.editWebsite(2, { exclude_ips: "192.0.2.9" });
    const data = upTo(2).map(site);
    await control.addFault({ match: { path, times: 0 }, reply: { body: { data, meta: { last_page: 1 } } } });
    const managed = { ...stateOf("2"), excludeIps: ["192.0.2.7"] };
    const [, found] = await Promise.all([
      records.see("1", (listed) => agrees(website, stateOf("1"), listed)),
      records.see("2", (listed) => agrees(website, managed, listed)),
    ]);
    expect(found?.values.excludeIps).toEqual(["192.0.2.9"]);
    expect(await requests()).toEqual([path, `${path}/2`]);
  });

  test("where it lags behind the record", async () => {
    const { control, seeAll } = await world(3);
    await control.editWebsite(2, { privacy: 0 });
    await control.configure({ lists: { hold: true } });
    await control.editWebsite(2, { privacy: 1 });
    expect(await seeAll([1, 2, 3])).toMatchObject(
      upTo(3).map((id) => ({ id: `${id}`, values: { privacy: "private" } })),
    );
  });

  test("where a record has slipped from page to page while it was read", async () => {
    const { control, seeAll } = await world(250);
    await control.configure({ lists: { insertWhilePaging: 2 } });
    expect(await seeAll(upTo(250))).toMatchObject(upTo(250).map((id) => ({ id: `${id}` })));
  });

  test("where it does not show a record that is there", async () => {
    const { control, seeAll, requests } = await world(3);
    await control.addFault({
      match: { path, times: 0 },
      reply: { body: { data: [], meta: { last_page: 1 } } },
    });
    expect(await seeAll([1, 2, 3])).toMatchObject(upTo(3).map((id) => ({ id: `${id}` })));
    expect((await requests()).length).toBeLessThanOrEqual(5);
  });

  test("where it can't be had at all, and each record is asked for by itself", async () => {
    const { control, seeAll, requests } = await world(20);
    await control.addFault({ match: { path, times: 0 }, reply: { status: 403, body: {} } });
    expect(await seeAll(upTo(20))).toMatchObject(upTo(20).map((id) => ({ id: `${id}` })));
    expect((await requests()).length).toBeLessThanOrEqual(22);
  });

  test("where it gives no paging data, and is read to its end", async () => {
    const { control, seeAll, requests } = await world(230);
    await control.configure({ lists: { withoutPaging: true } });
    await seeAll(upTo(230));
    expect((await requests()).length).toBeLessThanOrEqual(4);
  });

  test("where it says that a record is another's", async () => {
    const { control, records } = await world(2);
    await control.editWebsite(2, { domain: "other.example" });
    const found = await Promise.all(
      ["1", "2"].map((id) => records.see(id, (listed) => agrees(website, stateOf(id), listed))),
    );
    expect(found[1]?.values.domain).toBe("other.example");
  });
});

describe("what was changed by this run", () => {
  test("is asked for anew, and the list is not read again for it", async () => {
    const { control, records, seeAll, requests } = await world(5);
    await seeAll(upTo(5));
    records.forget("3");
    await control.editWebsite(3, { privacy: 0 });
    expect(await seeAll([3])).toMatchObject([{ values: { privacy: "public" } }]);
    expect(await requests()).toEqual([path, `${path}/3`]);
  });

  test("by deleting moves the pages that follow, and nothing is missed", async () => {
    const { control, records, requests } = await world(300);
    const agree = () => true;
    await Promise.all([records.see("1", agree), records.see("2", agree)]);
    const before = (await requests()).length;
    for (const id of upTo(40)) {
      await control.deleteWebsite(id);
      records.remove(`${id}`);
    }
    const rest = upTo(260).map((at) => at + 40);
    const found = await Promise.all(rest.map((id) => records.see(`${id}`, agree)));
    expect(found.every((each) => each !== undefined)).toBe(true);
    expect((await requests()).length - before).toBeLessThanOrEqual(4);
  });
});

describe("looks before a create", () => {
  test("cost a page for every hundred records where many look", async () => {
    const { records, requests } = await world(250);
    await Promise.all(upTo(30).map((at) => records.like(`new-${at}.example`)));
    expect(await requests()).toHaveLength(3);
  });

  test("cost a page and a search where one looks in a large account", async () => {
    const { records, control } = await world(950);
    expect(await records.like("site-901.example")).toMatchObject([{ id: "901" }]);
    expect((await control.requests()).map(({ query }) => query?.search)).toEqual([
      undefined,
      "site-901.example",
    ]);
  });
});
