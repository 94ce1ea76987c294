import { expect, test } from "vitest";
import { sampleMarket } from "../../emulator/market/samples";
import { dialectNames, marketDialectNames, pixels, service, type TestService, websites } from "../service";

/** A request, and what it is to show. */
type Line = readonly [shows: string, method: string, path: string, fields?: Record<string, string>];

const whole = {
  domain: " HTTPS://WWW.Shop.example ",
  privacy: "2",
  password: "let me in",
  email: "1",
  exclude_bots: "0",
  exclude_params: "utm_source\nref",
  exclude_ips: "192.0.2.1\n192.0.2.2",
};
const twitter = { name: "100% Birds", type: "twitter", value: "T-1" };

const records: readonly Line[] = [
  ["a whole website: an echo of the form, the domain in one spelling", "POST", websites, whole],
  ["a website by its domain alone", "POST", websites, { domain: "b.example" }],
  ["the whole website, and what is never shown", "GET", `${websites}/1`],
  ["which defaults are applied", "GET", `${websites}/2`],
  ["ten of the newest first, with paging data", "GET", websites],
  ["a page of another size, in another order", "GET", `${websites}?per_page=25&sort=asc&sort_by=domain`],
  ["a size that is not offered, and a page past the end", "GET", `${websites}?per_page=7&page=2`],
  ["a domain that is taken, in another case", "POST", websites, { domain: "B.example" }],
  ["a domain of another tenant", "POST", websites, { domain: "theirs.example" }],
  ["no domain", "POST", websites, { domain: " " }],
  ["what is no domain, and no privacy", "POST", websites, { domain: "a/b", privacy: "3", email: "yes" }],
  ["values that must not be empty", "POST", websites, { domain: "c.example", privacy: "", exclude_bots: "" }],
  ["a password that is needed", "PUT", `${websites}/1`, { password: "" }],
  [
    "a change of what is sent, and nothing else",
    "PUT",
    `${websites}/1`,
    { privacy: "1", domain: "x.example" },
  ],
  [
    "the same by PATCH, and lists that are cleared",
    "PATCH",
    `${websites}/1`,
    { exclude_params: "", email: "" },
  ],
  ["an update of what is missing", "PUT", `${websites}/9`, { privacy: "1" }],
  ["the pixel type that has two names, by the old one", "POST", pixels, twitter],
  ["and by the new one", "POST", pixels, { ...twitter, name: "1000 birds", type: "x" }],
  ["what is no pixel", "POST", pixels, { name: "n".repeat(33), value: "a b", type: "odd" }],
  ["pixels of one type", "GET", `${pixels}?type=x`],
  ["a search with % as a wildcard, in any case", "GET", `${pixels}?search=100%25bIRDS&search_by=name`],
  ["a search with _ as a wildcard", "GET", `${pixels}?search=1_0&sort=asc`],
  ["a delete", "DELETE", `${websites}/2`],
  ["a missing record", "GET", `${websites}/2`],
  ["an unknown path, which has the same answer", "GET", "/api/v1/visits"],
  ["a method that there is not", "DELETE", websites],
];

const key = "api_key=local-key";
const [theme, , audio] = sampleMarket.items;
const bought = (code = "") => ({ api_key: "local-key", purchase_code: code });
const market: readonly Line[] = [
  ["the account", "GET", `/api/account/details?${key}`],
  ["all items", "GET", `/api/items/all?${key}`],
  ["an item", "GET", `/api/items/item?${key}&item_id=${theme?.id}`],
  ["an item that lacks much", "GET", `/api/items/item?${key}&item_id=${audio?.id}`],
  ["no such item", "GET", `/api/items/item?${key}&item_id=9`],
  ["an id that is no number", "GET", `/api/items/item?${key}&item_id=one`],
  ...sampleMarket.purchases.map(
    ({ purchase_code, item }): Line => [
      `a purchase of ${item.name}`,
      "POST",
      "/api/purchases/validation",
      bought(purchase_code),
    ],
  ),
  ["no such purchase", "POST", "/api/purchases/validation", bought("nonsense")],
  ["no code", "POST", "/api/purchases/validation", { api_key: "local-key" }],
  ["a bearer token, which is no key here", "GET", "/api/account/details"],
  ["a wrong key, which only the account tells", "GET", "/api/account/details?api_key=wrong"],
  ["a wrong key elsewhere", "GET", "/api/items/all?api_key=wrong"],
  ["a method that there is not", "POST", `/api/items/all?${key}`],
];

const TIME = /"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,6}Z"/g;

/** What a service answers to each of these requests, without times and its address, by what it is to show. */
async function transcript(
  { ask, url }: TestService,
  lines: readonly Line[],
): Promise<Record<string, string>> {
  const all: Record<string, string> = {};
  for (const [shows, method, path, fields] of lines) {
    const { status, body } = await ask(method, path, fields);
    all[shows] = `${status} ${JSON.stringify(body)}`.replaceAll(url, "").replace(TIME, "TIME");
  }
  expect(Object.keys(all)).toHaveLength(lines.length);
  return all;
}

/** Holds that a file has this; `vitest -u` writes it. */
const recorded = (name: string, value: object) =>
  expect(`${JSON.stringify(value, null, 2)}\n`).toMatchFileSnapshot(`golden/${name}.json`);

test.each(dialectNames)(
  "a service of the dialect %s answers and stores as it is recorded",
  async (dialect) => {
    const at = await service({ dialect });
    at.control.otherTenant.add("theirs.example");
    const answers = await transcript(at, records);
    at.control.editWebsite(1, { exclude_ips: "192.0.2.1\n192.0.2.2" });
    const edited = ["a list that someone edited in the web interface", "GET", `${websites}/1`] as const;
    const stored = JSON.stringify([at.control.websites(), at.control.pixels()]).replace(TIME, "TIME");
    await recorded(dialect, { ...answers, ...(await transcript(at, [edited])), stored });
  },
);

test.each(marketDialectNames)(
  "a marketplace of the dialect %s answers as it is recorded, at any pace",
  async (marketDialect) => {
    const at = await service({ marketDialect, rateLimit: { requests: 1, seconds: 60 } });
    await recorded(`market-${marketDialect}`, await transcript(at, market));
  },
);

test.each(["Mozilla/5.0", "Edge"])("the marketplace sends %s to the home page", async (agent) => {
  const { ask, url } = await service();
  const path = "/api/account/details?api_key=local-key";
  const { status, headers } = await ask("GET", path, undefined, { "User-Agent": agent });
  expect([status, headers.get("location")]).toEqual([302, `${url}/`]);
});
