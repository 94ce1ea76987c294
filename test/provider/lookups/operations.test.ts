import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Emulator, LogEntry } from "../../../emulator";
import { sampleMarket } from "../../../emulator/market/samples";
import { create, remove, update } from "../../../provider/lifecycle";
import {
  getAccount,
  getItem,
  getItems,
  getMany,
  getOne,
  getPurchase,
  validatePurchase,
} from "../../../provider/lookups";
import type { Lookup } from "../../../provider/lookups/lookup";
import { catalogue, pixel, website } from "../../../provider/resources";
import type { Resource, Values } from "../../../provider/schema/resource";
import * as tracking from "../../../sdk";
import { ROOT } from "../../../tools/root.mjs";
import { rejection, run, service } from "../harness";
import { program } from "./harness";

/** An operation of the interface, as it is specified, and what uses it. */
interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Its parameters, with values that they may have; `***` is what the service's log makes of a secret. */
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  /** Functions and resources of the package, as the guide names them. */
  readonly users: readonly string[];
  /** Makes each of them use it, with all its parameters. */
  readonly uses: Readonly<Record<string, (emulator: Emulator) => Promise<unknown>>>;
}

const pixelTypes = [
  ...["adroll", "bing", "facebook", "google-ads", "google-analytics"],
  ...["google-tag-manager", "linkedin", "pinterest", "quora", "twitter"],
];
const flags = ["0", "1"];
const key = ["***"];
const code = sampleMarket.purchases[0]?.purchase_code ?? "";

const site = {
  domain: "shop.example.com",
  privacy: "password",
  password: "p",
  emailReports: true,
  excludeBots: false,
  excludeParams: ["utm_source", "gclid"],
  excludeIps: ["192.0.2.7", "198.51.100.0/24"],
};
const ads = { name: "Ads", type: "quora", value: "q-1" };

const ask =
  (lookup: unknown, args: Record<string, unknown> = {}) =>
  (emulator: Emulator) =>
    program(emulator.url).ask(lookup as Lookup<unknown>, args);
/** Lists with every value that a parameter may have. */
const askAll =
  (resource: Resource, more: Record<string, readonly unknown[]> = {}) =>
  async ({ url }: Emulator) => {
    const lookup = getMany(resource) as Lookup<unknown>;
    for (const perPage of [10, 25, 50, 100])
      for (const sort of ["asc", "desc"])
        for (const sortBy of ["id", resource.key])
          await program(url).ask(lookup, { search: "a", searchBy: resource.key, sortBy, sort, perPage });
    for (const [name, values] of Object.entries(more))
      for (const value of values) await program(url).ask(lookup, { [name]: value });
  };
const lived =
  (resource: Resource, args: Values, change: Values, ...more: Values[]) =>
  async ({ url }: Emulator) => {
    // What a run has made it does not delete, so that each step is a run of its own.
    for (const each of [{}, ...more]) {
      const made = await create(run(resource, url), { ...args, ...each });
      let { state } = made;
      for (const next of [change, ...more])
        state = await update(run(resource, url), made.id, state, { ...state, ...next });
      await remove(run(resource, url), made.id, state);
    }
  };
const changedSite = {
  privacy: "public",
  password: "q",
  emailReports: false,
  excludeBots: true,
  excludeParams: ["ref"],
  excludeIps: [],
};
const useSite = lived(
  website,
  site,
  changedSite,
  { privacy: "public" },
  { privacy: "private", emailReports: true, excludeBots: false },
  { privacy: "password", emailReports: false, excludeBots: true },
);
const usePixel = lived(pixel, ads, { name: "Ads 2", value: "q-2" }, ...pixelTypes.map((type) => ({ type })));

const list = (sortable: string) => ({
  search: ["a"],
  search_by: [sortable],
  sort_by: ["id", sortable],
  sort: ["desc", "asc"],
  per_page: ["10", "25", "50", "100"],
});
const siteForm = {
  privacy: ["0", "1", "2"],
  password: key,
  email: flags,
  exclude_bots: flags,
  exclude_params: ["utm_source\ngclid"],
  exclude_ips: ["192.0.2.7\n198.51.100.0/24"],
};

const operations: readonly Operation[] = [
  {
    name: "List websites",
    method: "GET",
    path: "/api/v1/websites",
    parameters: list("domain"),
    users: ["getWebsites", "getWebsite", "Website"],
    uses: { getWebsites: askAll(website) },
  },
  {
    name: "Show a website",
    method: "GET",
    path: "/api/v1/websites/{id}",
    parameters: {},
    users: ["getWebsite", "Website"],
    uses: { getWebsite: ask(getOne(website), { id: "1" }) },
  },
  {
    name: "Store a website",
    method: "POST",
    path: "/api/v1/websites",
    parameters: { domain: ["shop.example.com"], ...siteForm },
    users: ["Website"],
    uses: { Website: useSite },
  },
  {
    name: "Update a website",
    method: "PUT",
    path: "/api/v1/websites/{id}",
    parameters: { ...siteForm, exclude_params: ["ref"], exclude_ips: [""] },
    users: ["Website"],
    uses: { Website: useSite },
  },
  {
    name: "Delete a website",
    method: "DELETE",
    path: "/api/v1/websites/{id}",
    parameters: {},
    users: ["Website"],
    uses: { Website: useSite },
  },
  {
    name: "List pixels",
    method: "GET",
    path: "/api/v1/pixels",
    // Servers have two words for the tenth; what it finds is told apart here.
    parameters: { ...list("name"), type: pixelTypes.filter((type) => type !== "twitter") },
    users: ["getPixels", "getPixel", "Pixel"],
    uses: { getPixels: askAll(pixel, { type: pixelTypes }) },
  },
  {
    name: "Show a pixel",
    method: "GET",
    path: "/api/v1/pixels/{id}",
    parameters: {},
    users: ["getPixel", "Pixel"],
    uses: { getPixel: ask(getOne(pixel), { id: "1" }) },
  },
  {
    name: "Store a pixel",
    method: "POST",
    path: "/api/v1/pixels",
    parameters: { name: ["Ads"], type: pixelTypes, value: ["q-1"] },
    users: ["Pixel"],
    uses: { Pixel: usePixel },
  },
  {
    name: "Update a pixel",
    method: "PUT",
    path: "/api/v1/pixels/{id}",
    parameters: { name: ["Ads 2"], type: pixelTypes, value: ["q-2"] },
    users: ["Pixel"],
    uses: { Pixel: usePixel },
  },
  {
    name: "Delete a pixel",
    method: "DELETE",
    path: "/api/v1/pixels/{id}",
    parameters: {},
    users: ["Pixel"],
    uses: { Pixel: usePixel },
  },
  {
    name: "Get account details",
    method: "GET",
    path: "/api/account/details",
    parameters: { api_key: key },
    users: ["getAccount"],
    uses: {
      getAccount: ask(getAccount),
      "getItem of no item": (emulator) => rejection(ask(getItem, { itemId: 9 })(emulator)),
    },
  },
  {
    name: "Get all items",
    method: "GET",
    path: "/api/items/all",
    parameters: { api_key: key },
    users: ["getItems"],
    uses: { getItems: ask(getItems) },
  },
  {
    name: "Get an item's details",
    method: "GET",
    path: "/api/items/item",
    parameters: { api_key: key, item_id: ["101"] },
    users: ["getItem"],
    uses: { getItem: ask(getItem, { itemId: 101 }) },
  },
  {
    name: "Purchase validation",
    method: "POST",
    path: "/api/purchases/validation",
    parameters: { api_key: key, purchase_code: [code] },
    users: ["getPurchase", "validatePurchase"],
    uses: {
      getPurchase: ask(getPurchase, { purchaseCode: code }),
      validatePurchase: ask(validatePurchase, { purchaseCode: code }),
    },
  },
];

describe("the interface", () => {
  const cases = operations.flatMap((operation) =>
    Object.entries(operation.uses).map(([user, use]) => ({ ...operation, user, use })),
  );

  it.each(cases)("has $name ($method $path), used by $user with every parameter", async (each) => {
    const emulator = await service({ dialect: "spec" });
    if (each.method === "GET") {
      await emulator.control.insertWebsite({ id: 1, domain: "a.example.com" });
      await emulator.control.insertPixel({ id: 1, name: "A", type: "bing", value: "1" });
    }
    await each.use(emulator);
    const sent = (await emulator.control.requests()).filter((entry) => isOf(each, entry));
    expect(sent.length).toBeGreaterThan(0);
    for (const [name, values] of Object.entries(each.parameters)) {
      const given = new Set(sent.map(({ query, form }) => query[name] ?? form[name]));
      expect([...given], name).toEqual(expect.arrayContaining([...values]));
    }
    // `page` is not specified, and is how further pages are had.
    const known = [...Object.keys(each.parameters), ...(each.name.startsWith("List") ? ["page"] : [])];
    for (const { key: verdict, query, form, headers } of sent) {
      expect(known).toEqual(expect.arrayContaining([...Object.keys(query), ...Object.keys(form)]));
      expect(verdict).toBe("right");
      expect(headers.accept).toBe("application/json");
      if (Object.keys(form).length > 0)
        expect(headers["content-type"]).toBe("application/x-www-form-urlencoded");
    }
  });

  it("has no field of a website or pixel that a resource lacks", () => {
    const stored = (path: string) => operations.find((each) => each.method === "POST" && each.path === path);
    for (const { path, inputs } of catalogue) {
      const wire = Object.entries(inputs).map(([name, field]) => field.wire ?? name);
      expect(wire.sort()).toEqual(Object.keys(stored(path)?.parameters ?? {}).sort());
    }
  });

  it("has four errors of the marketplace, each told by the function that meets it", async () => {
    const { url } = await service({ seed: { items: [] } });
    const { url: closed } = await service({ apiKey: "another" });
    const told = async (at: string, lookup: Lookup<unknown>, args: Record<string, unknown>) =>
      (await rejection(program(at).ask(lookup, args))).message;
    expect(await told(closed, getAccount, {})).toContain("Invalid request");
    expect(await told(url, getItem, { itemId: 1 })).toContain("the marketplace account has no item 1");
    expect(await told(url, getPurchase, { purchaseCode: "c" })).toContain("Invalid purchase code");
    expect(await program(url).ask(validatePurchase, { purchaseCode: "c" })).toEqual({
      valid: false,
      reason: "Invalid purchase code",
    });
    const asking = program(url);
    expect(await asking.ask(getItems)).toEqual([]);
    expect(asking.warned).toHaveLength(1);
  });

  it("is used by nothing that the package does not have, in both forms", () => {
    for (const name of new Set(operations.flatMap(({ users }) => users))) {
      expect(tracking).toHaveProperty(name);
      if (name.startsWith("get") || name.startsWith("validate"))
        expect(tracking).toHaveProperty(`${name}Output`);
    }
    const functions = Object.keys(tracking).filter((name) => /^(get|validate).*(?<!Output)$/.test(name));
    expect(functions.sort()).toEqual(
      [...new Set(operations.flatMap(({ users }) => users))].filter((name) => /^[a-z]/.test(name)).sort(),
    );
  });
});

describe("the guide", () => {
  const guide = readFileSync(join(ROOT, "docs", "guide.md"), "utf8");

  it("names every operation with its method and path, and what uses it", () => {
    expect(rows(guide, "Operation | Method and path | Used by")).toEqual(
      operations.map(({ name, method, path, users }) => [name, `\`${method} ${path}\``, [...users].sort()]),
    );
  });

  it("says why an operation of the interface is left alone", () => {
    expect(guide).toContain("`PATCH`");
  });
});

/** The rows of the table with this head; of the last column, what stands between backticks. */
function rows(text: string, head: string): unknown[] {
  const [, below = ""] = text.split(`| ${head} |\n`);
  const lines = /^(?:\|.*\n)+/.exec(below)?.[0].trim().split("\n") ?? [];
  return lines.slice(1).map((line) => {
    const [name, operation, users = ""] = line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    const named = [...users.matchAll(/`(\w+)`/g)].map(([, user = ""]) => user);
    // Commands are named too.
    return [name, operation, named.filter((user) => user in tracking).sort()];
  });
}

function isOf({ method, path }: Operation, sent: LogEntry): boolean {
  return sent.method === method && sent.path.replace(/\/\d+$/, "/{id}") === path;
}
