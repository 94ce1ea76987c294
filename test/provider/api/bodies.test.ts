import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import { marketDialects } from "../../../emulator/market/dialects";
import { sampleMarket } from "../../../emulator/market/samples";
import { type Api, ApiError } from "../../../provider/api/api";
import { parseResponse } from "../../../provider/api/response";
import {
  getAccount,
  getItem,
  getItems,
  getMany,
  getOne,
  getPurchase,
  validatePurchase,
} from "../../../provider/lookups";
import { Lookups } from "../../../provider/lookups/invoke";
import { type Lookup, NotFoundError } from "../../../provider/lookups/lookup";
import { pixel, website } from "../../../provider/resources";
import type { Resource, Values } from "../../../provider/schema/resource";
import { arrivalsNear, exactTexts, type Generated } from "./bodies";

declare module "vitest" {
  interface ProvidedContext {
    /** How many bodies are generated for each service, and from which seed; any seed by default. */
    bodies: { size: number; seed: number | null };
  }
}

const { size, seed } = inject("bodies");
const PASSWORD = "canary-of-a-password";
const LIMIT = 2048;
const SETTINGS: Readonly<Record<string, string>> = {
  explicit: "true",
  apiKey: "a-key",
  analyticsBaseUrl: "https://a.example",
  dataBaseUrl: "https://d.example",
  marketBaseUrl: "https://m.example",
};
const MOST_REQUESTS = 20;

/** A look-up, and bodies that it understands. */
interface Case {
  readonly lookup: Lookup<unknown>;
  readonly args: Values;
  readonly bodies: readonly unknown[];
  readonly resource?: Resource;
}

const [item, audio] = [sampleMarket.items[0], sampleMarket.items[2]];
const [purchase] = sampleMarket.purchases;
if (item === undefined || audio === undefined || purchase === undefined)
  throw new Error("there are no samples");
const speakers = Object.values(marketDialects);
const refusal = { status: "error", msg: "Invalid request" };

const market: Case[] = [
  {
    lookup: getAccount,
    args: {},
    bodies: [refusal, ...speakers.map(({ account }) => account(sampleMarket.account).body)],
  },
  {
    lookup: getItems,
    args: {},
    bodies: [refusal, ...speakers.map(({ items }) => items([item, audio]).body)],
  },
  {
    lookup: getItem,
    args: { itemId: 101 },
    bodies: [refusal, ...speakers.map((each) => each.item(item).body)],
  },
  ...[getPurchase, validatePurchase].map((lookup) => ({
    lookup,
    args: { purchaseCode: purchase.purchase_code },
    bodies: [refusal, ...speakers.map((each) => each.purchase(purchase, item).body)],
  })),
];

const times = { created_at: "2024-01-02T03:04:05.678000Z", updated_at: null };
const analytics = cases(
  website,
  [
    {
      id: 7,
      domain: "shop.example.com",
      privacy: 2,
      password: PASSWORD,
      email: 1,
      exclude_bots: "1",
      exclude_params: "utm_source",
      exclude_ips: "192.0.2.7\r\n198.51.100.0/24",
      ...times,
    },
    { id: "8", domain: "www.example.com", privacy: null, password: true, exclude_ips: null, ...times },
  ],
  [{ domain: "shop.example.com" }, { id: "7" }],
);
const data = cases(
  pixel,
  [
    { id: 9, name: "Ads", type: "x", value: "tw-1", ...times },
    { id: "10", name: "Old", type: "bing", value: 42, ...times },
  ],
  [{ name: "Ads" }, { id: "9" }],
);

function cases(resource: Resource, records: readonly object[], args: readonly Values[]): Case[] {
  const shown = records.flatMap((record) => [{ data: record, status: 200 }, record]);
  const meta = { current_page: 1, last_page: 1, per_page: "100", total: records.length };
  const listed = [
    { data: records, links: { next: null }, meta, status: 200 },
    { data: records },
    records,
    { data: { data: records, last_page: 2, total: 2 } },
  ];
  const refused = [
    { message: { domain: ["The domain has already been taken."] }, status: 422 },
    { message: "Invalid.", errors: { name: ["Too long.", "Too short."] } },
    { message: "Resource not found.", status: 404 },
  ];
  const filtered = resource === pixel ? [{ type: "twitter" }] : [];
  return [
    ...args.map((each) => ({
      lookup: getOne(resource) as Lookup<unknown>,
      args: each,
      bodies: [...("id" in each ? shown : listed), ...refused],
      resource,
    })),
    ...[{}, { search: "s_" }, ...filtered].map((each) => ({
      lookup: getMany(resource) as Lookup<unknown>,
      args: each,
      bodies: [...listed, ...refused],
      resource,
    })),
  ];
}

describe.each([
  { service: "analytics", all: analytics },
  { service: "data", all: data },
  { service: "market", all: market },
])("whatever $service answers", ({ service, all }) => {
  it("is a value or an error of ours that a person can read", { timeout: 600_000 + size * 10 }, async () => {
    const counts: Record<string, number> = {};
    const inputs = fc
      .constantFrom(...all.keys())
      .chain((at) => fc.tuple(fc.constant(at), arrivalsNear(all[at]?.bodies ?? [])));
    await fc.assert(
      fc.asyncProperty(inputs, async ([at, arrival]) => {
        const each = all[at] as Case;
        const outcome = await ask(each, arrival);
        counts[outcome] = (counts[outcome] ?? 0) + 1;
      }),
      { numRuns: size, ...(seed === null ? {} : { seed }) },
    );
    if (seed !== null) console.log(`${service}: ${size} bodies from seed ${seed}: ${JSON.stringify(counts)}`);
    // None of the outcomes may go missing unnoticed.
    expect(Object.keys(counts).sort()).toEqual(["ApiError", "NotFoundError", "UnexpectedAnswer", "a value"]);
    expect(counts["a value"]).toBeGreaterThan(size / 20);
  });
});

/** What a look-up makes of an arrival: a word for it. */
async function ask({ lookup, args }: Case, arrival: Generated): Promise<string> {
  let count = 0;
  const api: Api = async (request) => {
    count += 1;
    if (count > MOST_REQUESTS) throw new Error(`${count} requests`);
    // A question about the key is answered with yes; everything else gets the same answer, page for page.
    const doubted = lookup !== getAccount && request.path === "/api/account/details";
    return doubted
      ? { status: 200, body: { data: sampleMarket.account } }
      : { ...parseResponse(request, arrival) };
  };
  let cause: unknown;
  const invoke: typeof lookup.invoke = (...given) =>
    lookup.invoke(...given).catch((error: unknown) => {
      cause = error;
      throw error;
    });
  const log = { warn: () => {}, debug: () => {} };
  const lookups = new Lookups({ log, connect: () => api });
  try {
    const value = await lookups.invoke({ ...lookup, invoke }, args, { get: (key) => SETTINGS[key] });
    expectSound(value, arrival);
    return "a value";
  } catch (error) {
    if (!(cause instanceof ApiError) && !(cause instanceof NotFoundError)) throw cause ?? error;
    expectReadable((error as Error).message);
    return cause.name;
  } finally {
    expectClean();
  }
}

/** As it is, for a person. The name of the look-up comes before the one clean sentence. */
function expectReadable(message: string): void {
  if (Buffer.byteLength(message) > LIMIT + 40 || /\p{Cc}|<\{%/u.test(message))
    throw new Error(`not fit to be shown: ${JSON.stringify(message)}`);
}

function expectSound(value: unknown, arrival: Generated): void {
  for (const each of objectsIn(value)) {
    const expected = Array.isArray(each) ? Array.prototype : Object.prototype;
    if (Object.getPrototypeOf(each) !== expected) throw new Error("an object with another prototype");
    if ("polluted" in each && !Object.hasOwn(each, "polluted")) throw new Error("a polluted object");
    if (Object.hasOwn(each, "password")) throw new Error("a password in an answer");
  }
  if (JSON.stringify(value)?.includes(PASSWORD)) throw new Error("a password's text in an answer");
  const ids = objectsIn(value).flatMap((each) => [
    Reflect.get(each, "id"),
    Reflect.get(each, "purchaseCode"),
  ]);
  expectExact(ids, arrival);
}

function expectExact(ids: readonly unknown[], { text }: Generated): void {
  const exact = exactTexts(text);
  for (const id of ids)
    if (id !== undefined && !exact.has(String(id)))
      throw new Error(`the id ${String(id)} is not in the body`);
}

function objectsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

const innocent = Object.getOwnPropertyNames(Object.prototype).length;
function expectClean(): void {
  if (Object.getOwnPropertyNames(Object.prototype).length !== innocent || "polluted" in {})
    throw new Error("Object.prototype is polluted");
}
