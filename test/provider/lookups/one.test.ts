import { describe, expect, it } from "vitest";
import { getOne } from "../../../provider/lookups";
import type { Lookup } from "../../../provider/lookups/lookup";
import { pixel, website } from "../../../provider/resources";
import { rejection } from "../../rejection";
import { type Dialect, dialectNames } from "../../service";
import { program } from "./harness";

const getWebsite: Lookup<unknown> = getOne(website);
const getPixel: Lookup<unknown> = getOne(pixel);

const shop = {
  id: 7,
  domain: "shop.example.com",
  privacy: 2 as const,
  password: "hunter2!",
  email: 1 as const,
  exclude_bots: 0 as const,
  exclude_params: "utm_source\ngclid",
  exclude_ips: "192.0.2.7\n198.51.100.0/24",
  created_at: "2024-01-02T03:04:05.678Z",
  updated_at: "2024-02-03T04:05:06.789Z",
};
/** The website as every dialect gives it; `spec` alone says which parameters are left out. */
const shopRecord = (dialect: Dialect) => ({
  id: "7",
  domain: "shop.example.com",
  privacy: "password",
  emailReports: true,
  excludeBots: false,
  ...(dialect === "spec" ? { excludeParams: ["utm_source", "gclid"] } : {}),
  // The web interface of `webform` stores lines in reverse order.
  excludeIps: dialect === "webform" ? ["198.51.100.0/24", "192.0.2.7"] : ["192.0.2.7", "198.51.100.0/24"],
  createdAt: "2024-01-02T03:04:05.678000Z",
  updatedAt: "2024-02-03T04:05:06.789000Z",
});
const stocked = (dialect: Dialect) =>
  program({
    dialect,
    seed: {
      websites: [shop, { id: 8, domain: "myshop.example.com" }, { id: 17, domain: "shop.example.com.au" }],
      pixels: ["Ads", "Ads 2"].map((name, at) => ({ id: 9 + at, name, type: "bing", value: "1" })),
    },
  });

describe.each(dialectNames)("in dialect %s", (dialect) => {
  it("a website is found by its id, with one request and without its password", async () => {
    const { ask, lines } = await stocked(dialect);
    expect(await ask(getWebsite, { id: "7" })).toEqual(shopRecord(dialect));
    expect(lines()).toEqual(["GET /api/v1/websites/7"]);
  });

  it("a website is found by its domain and not by a part of it", async () => {
    const { ask, control } = await stocked(dialect);
    expect(await ask(getWebsite, { domain: "shop.example.com" })).toEqual(shopRecord(dialect));
    const [sent] = control.requests();
    expect(sent).toMatchObject({
      path: "/api/v1/websites",
      query: { search: "shop.example.com", search_by: "domain", sort_by: "id", sort: "asc", per_page: "100" },
    });
    expect(sent?.headers.accept).toBe("application/json");
    expect(await rejection(ask(getWebsite, { domain: "example.com" }))).toMatchObject({
      name: "Error",
    });
  });

  it("a website with a name beyond ASCII is found by either form, whichever the service keeps", async () => {
    const stored = ["bücher.example", "xn--strae-oqa.example"];
    const { ask } = await program({ dialect, seed: { websites: stored.map((domain) => ({ domain })) } });
    for (const domain of [
      "bücher.example",
      "BÜCHER.example",
      "xn--bcher-kva.example",
      "XN--BCHER-KVA.example.",
    ])
      expect(await ask(getWebsite, { domain }), domain).toMatchObject({ id: "1", domain: "bücher.example" });
    for (const domain of ["straße.example", "xn--strae-oqa.example"])
      expect(await ask(getWebsite, { domain }), domain).toMatchObject({ id: "2" });
  });

  it("a website is found by its domain to the letter, and one that is near is named and not given", async () => {
    const { ask, control } = await program({ dialect });
    const kept = dialect === "newer" ? "shop.example.com" : "www.shop.example.com";
    control.insertWebsite({ domain: kept });
    expect(await ask(getWebsite, { domain: kept })).toMatchObject({ domain: kept });
    control.seed({ websites: [{ id: 7, domain: "shop.example.com" }] });
    const error = await rejection(ask(getWebsite, { domain: "www.shop.example.com" }));
    expect(error.name).toBe("Error");
    expect(error.message).toContain('it has "shop.example.com" (id 7)');
  });

  it.each(["100% more", "a_b", "\\d+", "(x)", "Größe 🛒", "www.ads", "a&b=c+d"])(
    "a pixel is found by its id and by the name %j, and none that only resembles it",
    async (name) => {
      const others = ["100 and more", "100% moreover", "axb", "ddd", "www_ads", "a b c d", "Größer 🛒"];
      const pixels = [...others, name].map((each) => ({ name: each, type: "bing" as const, value: "1" }));
      const { ask } = await program({ dialect, seed: { pixels } });
      for (const args of [{ id: "8" }, { name }, { name: ` ${name} ` }])
        expect(await ask(getPixel, args)).toMatchObject({ id: "8", name });
    },
  );

  it("what is not there is said, by id and by key", async () => {
    const { ask } = await stocked(dialect);
    for (const [lookup, args, words] of [
      [getWebsite, { id: "4711" }, "the service has no website with id 4711"],
      [
        getWebsite,
        { domain: "no.example.com" },
        'the service has no website with the domain "no.example.com"',
      ],
      [getPixel, { name: "None" }, 'the service has no pixel with the name "None"'],
    ] as const)
      expect(await rejection(ask(lookup, args))).toMatchObject({ name: "Error", message: words });
  });

  it("several with one key are named by their ids", async () => {
    const { ask, control } = await stocked(dialect);
    control.insertPixel({ id: 20, name: "Ads", type: "bing", value: "1" });
    control.insertWebsite({ id: 21, domain: "SHOP.example.com" });
    expect((await rejection(ask(getPixel, { name: "Ads" }))).message).toBe(
      `the service has several pixels with the name "Ads" (id 9, id 20); look it up by id`,
    );
    expect((await rejection(ask(getWebsite, { domain: "shop.example.com" }))).message).toBe(
      `the service has several websites with the domain "shop.example.com" (id 7, id 21); look it up by id`,
    );
  });
});

describe("one record", () => {
  it.each(["9007199254740993", '"../7"'])(
    "with the id %s is an error, and nothing is rounded",
    async (id) => {
      const body = `{"data":{"id":${id},"name":"Ads","type":"bing","value":"1"},"status":200}`;
      const { ask, instead } = await program();
      instead("/api/v1/pixels/7", body);
      instead("/api/v1/pixels", body.replace(/^{"data":(.*),"status":200}$/, '{"data":[$1]}'));
      for (const args of [{ id: "7" }, { name: "Ads" }]) {
        const error = await rejection(ask(getPixel, args));
        expect(error.message).toContain("exactly");
      }
    },
  );

  it.each([
    [getWebsite, {}, "give either id or domain"],
    [getWebsite, { id: "7", domain: "shop.example.com" }, "give either id or domain"],
    [getWebsite, { id: 7 }, "id must be a record's id, as text, not 7"],
    [getWebsite, { id: "../pixels" }, "id must be a record's id, as text"],
  ])("%# is not asked for in a way that makes no sense", async (lookup, args, words) => {
    const { ask, lines } = await program();
    expect((await rejection(ask(lookup, args))).message).toContain(words);
    expect(lines()).toEqual([]);
  });
});
