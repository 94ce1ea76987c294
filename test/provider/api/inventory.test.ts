import { beforeEach, describe, expect, test, vi } from "vitest";
import { type Dialect, dialectNames, type EmulatorOptions, type FaultReply } from "../../../emulator";
import { type Api, ApiError, type Request } from "../../../provider/api/api";
import { Inventory } from "../../../provider/api/inventory";
import { website } from "../../../provider/resources";
import { collectionOf } from "../../../provider/schema/wire";
import { rejection, run, service } from "../world";

const path = website.path;
/** A key that a server's search may miss, so that the whole list is read. */
const ANY = "xn--bcher-kva.example";
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

const seed = (count: number) => ({
  websites: Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    domain: `site-${at + 1}.example`,
    privacy: 1,
  })),
});
const ids = (found: readonly { id: string | undefined }[]) =>
  found.map(({ id }) => Number(id)).sort((a, b) => a - b);
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

async function world(
  options: EmulatorOptions = {},
  settings: Record<string, string> = {},
  env: NodeJS.ProcessEnv = {},
) {
  const emulator = await service(options);
  return { ...emulator, ...run(website, emulator.url, settings, env) };
}

describe("one record", () => {
  test.each(dialectNames)("is shown in the dialect %s", async (dialect) => {
    const { records } = await world({ dialect, seed: seed(3) });
    expect(await records.show("2")).toMatchObject({ id: "2", values: { domain: "site-2.example" } });
  });

  test.each(dialectNames)(
    "is gone in the dialect %s where a list of the same service proves it",
    async (dialect) => {
      const { records, control } = await world({ dialect, seed: seed(1) });
      expect(await records.show("7")).toBeUndefined();
      expect((await control.requests()).map((entry) => entry.path)).toEqual([`${path}/7`, path]);
    },
  );

  test("is gone from a service that holds none", async () => {
    const { records } = await world();
    expect(await records.show("7")).toBeUndefined();
  });

  const missing = { status: 404, body: { message: "Resource not found." } };
  test.each<[string, FaultReply]>([
    ["JSON that is no list", { body: { data: { id: 1 } } }],
    ["an empty body", { status: 200 }],
    ["a log-in page", { body: "<!doctype html><title>Log in</title>" }],
    ["a 404 as well", missing],
    ["a 403", { status: 403, body: { message: "Forbidden." } }],
    ["a 401", { status: 401, body: { message: "Unauthenticated." } }],
    ["a redirect", { status: 302, headers: { Location: "/login" } }],
    ["a 500", { status: 500 }],
    ["a broken connection", "reset"],
  ])("is not gone where the list is %s", async (_, reply) => {
    const { records, control } = await world();
    await control.addFault({ match: { path, times: 0 }, reply });
    expect(await rejection(records.show("7"))).toBeInstanceOf(ApiError);
  });

  test.each<[string, FaultReply]>([
    ["a 404 in HTML", { status: 404, body: "<!doctype html><title>Not Found</title>" }],
    ["an empty 404", { status: 404 }],
    ["a 401", { status: 401, body: { message: "Unauthenticated." } }],
    ["a 403", { status: 403, body: { message: "Forbidden." } }],
    ["a 405", { status: 405, body: { message: "Not allowed." } }],
    ["a redirect", { status: 301, headers: { Location: "/elsewhere" } }],
    ["a log-in page", { body: "<!doctype html><title>Log in</title>" }],
    ["a list", { body: { data: [] } }],
    ["an empty object", { body: {} }],
    ["nothing", { status: 200 }],
    ["a 500", { status: 500, body: { message: "Server Error" } }],
    ["a broken connection", "truncate"],
  ])("is not gone where the answer is %s, though there is a list", async (_, reply) => {
    const { records, control } = await world();
    await control.addFault({ match: { path: `${path}/7`, times: 0 }, reply });
    expect(await rejection(records.show("7"))).toBeInstanceOf(ApiError);
  });

  test("is not gone at a wrong path", async () => {
    const emulator = await service({ seed: seed(1) });
    expect(await rejection(run(website, `${emulator.url}/nowhere`).records.show("1"))).toBeInstanceOf(
      ApiError,
    );
  });

  test("is not gone on another key's word", async () => {
    const { records } = await world(
      { apiKey: "spare" },
      { apiKey: "revoked" },
      { TRACKING_API_KEY: "spare" },
    );
    const error = await rejection(records.show("7"));
    expect(error).toMatchObject({ failure: "unauthorised" });
    expect(error.message).toContain("--run-program");
  });

  test("is shown by another key all the same", async () => {
    const env = { TRACKING_API_KEY: "spare" };
    const { records } = await world({ apiKey: "spare", seed: seed(1) }, { apiKey: "revoked" }, env);
    expect(await records.show("1")).toMatchObject({ id: "1" });
  });

  test("has an id that stays within its path", async () => {
    const seen: Request[] = [];
    const api: Api = async (request) => {
      seen.push(request);
      return { status: 200, body: { id: 1 }, spareKey: false };
    };
    await new Inventory(api, collectionOf(website)).show("../../login?x=1#y");
    expect(seen[0]?.path).toBe(`${path}/..%2F..%2Flogin%3Fx%3D1%23y`);
  });
});

describe("all records", () => {
  test.each(
    dialectNames.flatMap((dialect) =>
      [0, 1, 100, 101, 250].map((count): [number, Dialect] => [count, dialect]),
    ),
  )("%d in the dialect %s are found, each once", async (count, dialect) => {
    const { records, control } = await world({ dialect, seed: seed(count) });
    expect(ids(await records.like(ANY))).toEqual(upTo(count));
    const pages = await control.requests();
    const most = dialect === "bare" ? Math.ceil(count / 100) + 1 : Math.max(1, Math.ceil(count / 100));
    expect(pages.length).toBeLessThanOrEqual(most);
    expect(pages[0]?.query).toMatchObject({ per_page: "100", sort_by: "id", sort: "asc", page: "1" });
  });

  test("are found without paging data", async () => {
    const { records, control } = await world({ seed: seed(230) });
    await control.configure({ lists: { withoutPaging: true } });
    expect(ids(await records.like(ANY))).toEqual(upTo(230));
  });

  test("are found by a service that takes another page size, though it was not asked for", async () => {
    const site = (id: number) => ({ id, domain: `site-${id}.example` });
    const asked: string[] = [];
    const api: Api = async ({ query }) => {
      const page = Number(query?.page);
      asked.push(String(page));
      const data = upTo(25)
        .slice((page - 1) * 10, page * 10)
        .map(site);
      return {
        status: 200,
        body: { data, meta: { last_page: 3, per_page: "10", total: 25 } },
        spareKey: false,
      };
    };
    expect(ids(await new Inventory(api, collectionOf(website)).like(ANY))).toEqual(upTo(25));
    expect(asked).toEqual(["1", "2", "3"]);
  });

  test("are found though others are made while pages are read", async () => {
    for (const dialect of ["reference", "legacy", "bare"] as const) {
      const { records, control } = await world({ dialect, seed: seed(250) });
      await control.configure({ lists: { insertWhilePaging: 2 } });
      const found = ids(await records.like(ANY));
      expect(new Set(found).size).toBe(found.length);
      expect(found).toEqual(expect.arrayContaining(upTo(250)));
    }
  });

  test("end, where every page says that there is another", async () => {
    let count = 0;
    const api: Api = async () => {
      count += 1;
      return { status: 200, body: { data: [{ id: 1 }] }, spareKey: false };
    };
    expect(ids(await new Inventory(api, collectionOf(website)).like(ANY))).toEqual([1]);
    expect(count).toBe(2);
  });

  test("end, where a service counts more pages than it has", async () => {
    let count = 0;
    const api: Api = async ({ query }) => {
      count += 1;
      const data = query?.page === "1" ? [{ id: 1 }] : [];
      return { status: 200, body: { data, meta: { last_page: 1e9 } }, spareKey: false };
    };
    expect(ids(await new Inventory(api, collectionOf(website)).like(ANY))).toEqual([1]);
    expect(count).toBeLessThanOrEqual(6);
  });

  test("end, where a service answers every page with the same records and counts pages without end", async () => {
    let count = 0;
    const api: Api = async () => {
      count += 1;
      if (count > 50_000) throw new Error("it does not end");
      return {
        status: 200,
        body: { data: [{ id: 1 }, { id: 2 }], meta: { last_page: 1e9, total: 2 } },
        spareKey: false,
      };
    };
    await new Inventory(api, collectionOf(website)).like(ANY);
    expect(count).toBeLessThanOrEqual(30_000);
  });

  test("are asked for once by many at a time, and once in a while", async () => {
    const { records, control } = await world({ seed: seed(3) });
    const [one, ...others] = await Promise.all([records.like(ANY), records.like(ANY), records.like(ANY)]);
    for (const other of others) expect(other).toEqual(one);
    await records.like(ANY);
    expect(await control.requests()).toHaveLength(1);
    await records.like(ANY, true);
    expect(await control.requests()).toHaveLength(2);
  });

  test.each<[string, number, Dialect, number, number]>([
    ["the whole list where it has no more pages left than there are looks", 250, "reference", 3, 0],
    ["a search each where it has", 350, "reference", 1, 2],
    ["a page a look, then a search each, where nobody knows how long it is", 500, "bare", 3, 2],
  ])("of two at once cost %s", async (_, count, dialect, pages, searches) => {
    const { records, control } = await world({ seed: seed(count), dialect });
    await Promise.all(["a.example", "b.example"].map((key) => records.like(key)));
    const searched = (await control.requests()).map(({ query }) => query.search !== undefined);
    expect(searched.filter((each) => !each)).toHaveLength(pages);
    expect(searched.filter((each) => each)).toHaveLength(searches);
  });

  test("are asked for again after a minute", async () => {
    let count = 0;
    const api: Api = async () => {
      count += 1;
      return { status: 200, body: { data: [], meta: { last_page: 1 } }, spareKey: false };
    };
    const records = new Inventory(api, collectionOf(website));
    vi.useFakeTimers({ now: 0, toFake: ["Date"] });
    try {
      await records.like(ANY);
      vi.setSystemTime(119_999);
      await records.like(ANY);
      expect(count).toBe(1);
      vi.setSystemTime(120_001);
      await records.like(ANY);
      expect(count).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });

  test("that could not be had are asked for anew by the next", async () => {
    const { records, control } = await world({ seed: seed(1) });
    await control.addFault({ match: { path }, reply: { status: 403, body: {} } });
    expect(await rejection(records.like(ANY))).toBeInstanceOf(ApiError);
    expect(ids(await records.like(ANY))).toEqual([1]);
  });

  test.each<[string, FaultReply]>([
    ["a log-in page", { body: "<!doctype html>" }],
    ["one record", { body: { data: { id: 1 } } }],
    ["nothing", { status: 200 }],
    ["a 404", { status: 404, body: { message: "Resource not found." } }],
  ])("are not none where the answer is %s", async (_, reply) => {
    const { records, control } = await world();
    await control.addFault({ match: { path, times: 0 }, reply });
    expect(await rejection(records.like(ANY))).toBeInstanceOf(ApiError);
  });
});
