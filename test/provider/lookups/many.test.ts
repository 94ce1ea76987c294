import { describe, expect, it } from "vitest";
import { getMany } from "../../../provider/lookups";
import type { Lookup } from "../../../provider/lookups/lookup";
import { pixel, website } from "../../../provider/resources";
import { rejection } from "../../rejection";
import { dialectNames } from "../../service";
import { program } from "./harness";

type Listed = { id: string; domain?: string; name?: string; type?: string }[];
const getWebsites = getMany(website) as unknown as Lookup<Listed>;
const getPixels = getMany(pixel) as unknown as Lookup<Listed>;

const ids = (records: Listed) => records.map(({ id }) => Number(id));
const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

describe.each(dialectNames)("in dialect %s", (dialect) => {
  it("a search takes % and _ as they are written", async () => {
    const names = ["100% more", "100 more", "a_b", "axb", "A_B too"];
    const pixels = names.map((name) => ({ name, type: "bing" as const, value: "1" }));
    const { ask } = await program({ dialect, seed: { pixels } });
    const named = async (search: string) =>
      (await ask(getPixels, { search, sort: "asc" })).map(({ name }) => name).sort();
    expect(await named("100%")).toEqual(["100% more"]);
    expect(await named("a_b")).toEqual(["A_B too", "a_b"]);
    expect(await named("%")).toEqual(["100% more"]);
  });

  it("pixels of one type are found, by either name of the type that has two", async () => {
    const types = ["twitter", "bing", "twitter", "quora"] as const;
    const stored = (type: string) => (dialect === "newer" && type === "twitter" ? "x" : type);
    const pixels = types.map((type, at) => ({ id: at + 1, name: `P${at}`, type: stored(type), value: "1" }));
    const { ask, control } = await program({ dialect, seed: { pixels: pixels as never } });
    for (const type of ["twitter", "x"])
      expect(await ask(getPixels, { type, sort: "asc", sortBy: "id" })).toHaveLength(2);
    expect(ids(await ask(getPixels, { type: "bing" }))).toEqual([2]);
    expect(await ask(getPixels, { type: "adroll" })).toEqual([]);
    const asked = control.requests().map(({ query }) => query.type);
    expect(new Set(asked)).toEqual(new Set([undefined, "bing", "adroll"]));
  });
});

describe("a list", () => {
  it("is searched and put in order by the service", async () => {
    const { ask, control } = await program();
    const args = { search: "SITE-01", searchBy: "domain", sortBy: "domain", sort: "asc", perPage: 25 };
    await ask(getWebsites, args);
    expect(control.requests()[0]?.query).toEqual({
      search: "SITE-01",
      search_by: "domain",
      sort_by: "domain",
      sort: "asc",
      per_page: "25",
    });
  });

  it.each([
    [getWebsites, { searchBy: "name" }, 'searchBy must be one of "domain", not "name"'],
    [
      getWebsites,
      { sortBy: "name", perPage: 20 },
      'sortBy must be one of "id", "domain", not "name"; perPage must be 10, 25, 50 or 100, not 20',
    ],
    [getPixels, { type: "tiktok" }, 'type must be one of "adroll"'],
  ])("%# is not asked for in a way that makes no sense", async (lookup, args, words) => {
    const { ask, lines } = await program();
    expect((await rejection(ask(lookup, args))).message).toContain(words);
    expect(lines()).toEqual([]);
  });
});

it("a service that knows no pages gives the first hundred of more, and a warning with the number", async () => {
  const all = upTo(121).map((id) => ({ id, domain: `site-${id}.example` }));
  const warned: string[] = [];
  const asking = {
    warn: (text: string) => void warned.push(text),
    api: async ({ query = {} }: { query?: Readonly<Record<string, string>> }) => ({
      status: 200,
      body: { data: all.slice(0, Number(query.per_page ?? 10)) },
    }),
  };
  expect(await getWebsites.invoke({}, asking)).toHaveLength(100);
  expect(warned).toEqual([expect.stringMatching(/may be truncated: it returned 100 websites/)]);
});
