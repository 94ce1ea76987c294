import fc from "fast-check";
import { expect, inject, it } from "vitest";
import { marketDialects } from "../../../emulator/market/dialects";
import { sampleMarket } from "../../../emulator/market/samples";
import { type Api, ApiError } from "../../../provider/api/api";
import { parseResponse } from "../../../provider/api/response";
import { getAccount, getItem, getItems, getMany, getOne, validatePurchase } from "../../../provider/lookups";
import { invoke as answer } from "../../../provider/lookups/invoke";
import type { Lookup } from "../../../provider/lookups/lookup";
import { pixel, website } from "../../../provider/resources";
import type { Resource, Values } from "../../../provider/schema/resource";

/** How many bodies are generated for each service. */
const { bodies: size } = inject("sizes");
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
}

const [item] = sampleMarket.items;
const [purchase] = sampleMarket.purchases;
if (item === undefined || purchase === undefined) throw new Error("there are no samples");
const speakers = Object.values(marketDialects);
const refusal = { status: "error", msg: "Invalid request" };
const market: Case[] = [
  { lookup: getAccount, args: {}, bodies: speakers.map((each) => each.account(sampleMarket.account).body) },
  { lookup: getItems, args: {}, bodies: speakers.map((each) => each.items([item]).body) },
  { lookup: getItem, args: { itemId: 101 }, bodies: speakers.map((each) => each.item(item).body) },
  {
    lookup: validatePurchase,
    args: { purchaseCode: purchase.purchase_code },
    bodies: speakers.map((each) => each.purchase(purchase, item).body),
  },
].map((each) => ({ ...each, bodies: [refusal, ...each.bodies] }));

const shop = { id: 7, domain: "shop.example.com", privacy: 2, password: PASSWORD, exclude_bots: "1" };
const other = { id: "8", domain: "www.example.com", privacy: null, exclude_ips: "192.0.2.7\r\n192.0.2.8" };
const analytics = cases(website, [shop, other], [{ domain: "shop.example.com" }, { id: "7" }]);
const ads = [
  { id: 9, name: "Ads", type: "x", value: "tw-1" },
  { id: "10", name: "Old", type: "bing", value: 42 },
];
const data = cases(pixel, ads, [{ name: "Ads" }, { id: "9" }]);

function cases(resource: Resource, records: readonly object[], args: readonly Values[]): Case[] {
  const meta = { current_page: 1, last_page: 1, per_page: "100", total: records.length };
  const listed = [{ data: records, meta, status: 200 }, records, { data: { data: records, last_page: 2 } }];
  const shown = records.flatMap((record) => [{ data: record, status: 200 }, record]);
  const refused = [
    { message: { domain: ["The domain has already been taken."] }, status: 422 },
    { message: "Invalid.", errors: { name: ["Too long.", "Too short."] } },
    { message: "Resource not found.", status: 404 },
  ];
  return [
    ...args.map((each) => ({
      lookup: getOne(resource) as Lookup<unknown>,
      args: each,
      bodies: [...("id" in each ? shown : listed), ...refused],
    })),
    ...[{}, { search: "s_" }].map((each) => ({
      lookup: getMany(resource) as Lookup<unknown>,
      args: each,
      bodies: [...listed, ...refused],
    })),
  ];
}

/** What arrives, and under which head. */
interface Generated {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const STRING = '"(?:[^"\\\\]|\\\\.)*"';
const SCALAR = `(?:${STRING}(?!:)|-?\\d[\\d.eE+-]*|true|false|null)`;
/** A list or object without others in it; a member with a scalar, and a comma to one side. */
const [GROUP, MEMBER] = ["\\{[^{}]*\\}|\\[[^[\\]]*\\]", `,${STRING}:${SCALAR}|${STRING}:${SCALAR},`];
/** More brackets than a function calling itself can follow. */
const DEEP = `{"data":${"[".repeat(20_000)}${"]".repeat(20_000)}}`;
const EVIL = `{"polluted":true,"id":666,"domain":"evil.example","name":"evil","prototype":{"polluted":true}}`;
const SCALARS =
  'null true false 0 -0 -1 1.5 101.0 9007199254740991 9007199254740993 12345678901234567890 1e21 1e999 "" "0" ' +
  '"1.0" "9007199254740993" "1e999" "../../etc" "\\u0000\\u001b[31m<{%reset%}>\\u202e" "\\ud800" [] {} [[]] [null]';
const LONG = [`1${"0".repeat(400)}`, `"${"Übermäßig lang, 🛒. ".repeat(400)}"`];
const values = fc.constantFrom(...SCALARS.split(" "), ...LONG, EVIL, `[${EVIL}]`, `{"__proto__":${EVIL}}`);
const NAMES = ["__proto__", "constructor", "toString", "length", "0", "", "id", "data", "msg", "errors"];

/** Something done to one place of a JSON text; it stays one, and numbers keep their digits. */
type Edit = (found: string, value: string, name: string) => string;
const edits: [pattern: string, edit: Edit][] = [
  [MEMBER, () => ""],
  // A number as text, and text of digits as a number.
  ["-?\\d[\\d.eE+-]*", (found) => JSON.stringify(found)],
  ['"-?\\d+"(?!:)', (found) => found.slice(1, -1)],
  [`"id":${SCALAR}`, (_, value) => `"id":${value}`],
  // Any member, even twice.
  ["\\{(?!\\})", (_, value, name) => `{${JSON.stringify(name)}:${value},`],
  ...[SCALAR, GROUP].flatMap((pattern): [string, Edit][] => [
    [pattern, (_, value) => value],
    [pattern, (found) => `[${found}]`],
    [pattern, (found, _, name) => `{${JSON.stringify(name)}:${found}}`],
  ]),
];
const edited = fc
  .tuple(fc.constantFrom(...edits), fc.nat(10_000), values, fc.oneof(fc.constantFrom(...NAMES), fc.string()))
  .map(([[pattern, edit], at, value, name]) => (text: string) => {
    const places = [...text.matchAll(new RegExp(pattern, "g"))];
    const place = places[at % places.length];
    if (place === undefined) return text;
    const [found] = place;
    return text.slice(0, place.index) + edit(found, value, name) + text.slice(place.index + found.length);
  });
const instead = ["Bad gateway", "<?php", "", "\uFEFF", "<!DOCTYPE html>".repeat(99)];
/** Few of them are deep: one takes six milliseconds. */
const replacement = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...instead) },
  { weight: 8, arbitrary: fc.json() },
  fc.constantFrom(DEEP, `[${DEEP}]`),
);
const spoiled = fc.oneof(
  { weight: 30, arbitrary: fc.constant((text: string) => text) },
  fc.nat(100).map((percent) => (text: string) => text.slice(0, (text.length * percent) / 100)),
  fc.constantFrom("\uFEFF", " \r\n\t").map((mark) => (text: string) => mark + text),
  fc.constantFrom("}", "<br>Notice", "\0").map((tail) => (text: string) => text + tail),
  { weight: 5, arbitrary: replacement.map((text) => () => text) },
);

const HEADS = [{ "content-type": "application/json" }, {}, { location: "//elsewhere.example/\u001b[2J" }];
/** Four times as long to read as any other. */
const LONG_HEAD = {
  "content-type": `text/${"x".repeat(6_000)}`,
  location: `https://login.example/${"🛒".repeat(3_000)}`,
};

/** Arrivals near the ones that have these bodies, with statuses that need not go with them. */
function arrivalsNear(bodies: readonly unknown[]): fc.Arbitrary<Generated> {
  const texts = bodies.map((body) => JSON.stringify(body ?? null));
  return fc.record({
    status: fc.oneof(
      { weight: 6, arbitrary: fc.constant(200) },
      { weight: 4, arbitrary: fc.nat(399).map((at) => 200 + at) },
    ),
    headers: fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom<Record<string, string>>(...HEADS) },
      fc.constant(LONG_HEAD),
    ),
    text: fc
      .tuple(fc.constantFrom(...texts), fc.array(edited, { maxLength: 4 }), spoiled)
      .map(([body, changes, spoil]) => spoil(changes.reduce((text, change) => change(text), body))),
  });
}

it.each([
  ["analytics", analytics],
  ["data", data],
  ["market", market],
])(
  "whatever the service %s answers is a value or an error of ours that a person can read",
  { timeout: 600_000 + size * 10 },
  async (_, all) => {
    const outcomes = new Set<string>();
    const inputs = fc
      .constantFrom(...all)
      .chain((each) => fc.tuple(fc.constant(each), arrivalsNear(each.bodies)));
    const told = fc.asyncProperty(
      inputs,
      async ([each, arrival]) => void outcomes.add(await ask(each, arrival)),
    );
    await fc.assert(told, { numRuns: size });
    // None may go missing unnoticed; among few bodies one may by chance.
    if (size < 2_000) expect(outcomes).toContain("a value");
    else expect([...outcomes].sort()).toEqual(["ApiError", "Error", "UnexpectedAnswer", "a value"]);
  },
);

/** What a look-up makes of an arrival: a word for it. */
async function ask({ lookup, args }: Case, arrival: Generated): Promise<string> {
  let count = 0;
  const api: Api = async (request) => {
    count += 1;
    if (count > MOST_REQUESTS) throw new Error(`${count} requests`);
    // A question about the key is answered with yes; everything else gets the same answer, page for page.
    const doubted = lookup !== getAccount && request.path === "/api/account/details";
    if (doubted) return { status: 200, body: { data: sampleMarket.account } };
    const { result } = parseResponse(request, arrival);
    if (result instanceof ApiError) throw result;
    return { ...result };
  };
  let cause: unknown;
  const invoke: typeof lookup.invoke = (...given) =>
    lookup.invoke(...given).catch((error: unknown) => {
      cause = error;
      throw error;
    });
  const log = { warn: () => {}, debug: () => {} };
  const run = { log, connect: () => api };
  try {
    const value = await answer({ ...lookup, invoke }, args, { get: (key) => SETTINGS[key] }, run);
    expectSound(value, arrival);
    return "a value";
  } catch (error) {
    if (!(cause instanceof Error) || !(cause instanceof ApiError || cause.name === "Error"))
      throw cause ?? error;
    expectReadable((error as Error).message);
    return cause.name;
  } finally {
    expectClean();
  }
}

/** As it is, for a person. The name of the look-up comes before a clean line, which names no request, and what to do after it. */
function expectReadable(message: string): void {
  const lines = message.split("\n");
  const isUnfit = (line: string) =>
    Buffer.byteLength(line) > LIMIT + 40 || /\p{Cc}|<\{%|(GET|POST) \//u.test(line);
  if (lines.length > 2 || lines.some(isUnfit))
    throw new Error(`not fit to be shown: ${JSON.stringify(message)}`);
}

function expectSound(value: unknown, arrival: Generated): void {
  for (const each of objectsIn(value)) {
    const expected = Array.isArray(each) ? Array.prototype : Object.prototype;
    if (Object.getPrototypeOf(each) !== expected) throw new Error("an object with another prototype");
    if ("polluted" in each && !Object.hasOwn(each, "polluted")) throw new Error("a polluted object");
    if (Object.hasOwn(each, "password")) throw new Error("a password in an answer");
    // To the last digit.
    for (const id of [Reflect.get(each, "id"), Reflect.get(each, "purchaseCode")].map(String))
      if (/^\d+$/.test(id) && !arrival.text.includes(id)) throw new Error(`the id ${id} is not in the body`);
  }
  if (JSON.stringify(value)?.includes(PASSWORD)) throw new Error("a password's text in an answer");
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
