import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pixel, website } from "../../../provider/resources";
import { UNKNOWN } from "../../../provider/schema/resource";
import {
  changedFields,
  collectionOf,
  couldHaveKey,
  decode,
  encode,
  filterByKey,
  format,
  formatIds,
  isSameRecord,
  matchesState,
  mergeRemote,
  mismatches,
  parseId,
  pick,
} from "../../../provider/schema/wire";
import { goal } from "../made-up";

const found = (values: Record<string, unknown>, id: string | undefined = "5") => ({ id, values });

describe("an id", () => {
  test.each<[unknown, string | undefined]>([
    [1, "1"],
    [0, "0"],
    [5.0, "5"],
    [Number.MAX_SAFE_INTEGER, "9007199254740991"],
    [2 ** 53, undefined],
    [2 ** 53 + 2, undefined],
    [1e21, undefined],
    [Number.NaN, undefined],
    [1.5, undefined],
    [-1, undefined],
    ["7", "7"],
    ["9007199254740993", "9007199254740993"],
    ["0b5c8f2e-1c3d-4e5f-8a9b-0c1d2e3f4a5b", "0b5c8f2e-1c3d-4e5f-8a9b-0c1d2e3f4a5b"],
    ["", undefined],
    ["a/b", undefined],
    ["..", undefined],
    ["5?x=1", undefined],
    ["5 ", undefined],
    ["5\n", undefined],
    ["x".repeat(65), undefined],
    [null, undefined],
    [true, undefined],
    [[5], undefined],
    [{}, undefined],
  ])("given as %j is %j", (raw, id) => expect(parseId(raw)).toBe(id));

  test("keeps every digit that JSON can hold, and is never rounded", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 60n }), (id) => {
        const { id: asNumber } = decode(website, JSON.parse(`{"id":${id}}`));
        expect(asNumber).toBe(id <= BigInt(Number.MAX_SAFE_INTEGER) ? String(id) : undefined);
        expect(decode(website, JSON.parse(`{"id":"${id}"}`)).id).toBe(String(id));
      }),
      { numRuns: 500 },
    );
  });
});

describe("decode", () => {
  test("reads a record by the names of programs and ignores what it does not know", () => {
    const raw = {
      id: 5,
      domain: "shop.example",
      privacy: 2,
      email: "1",
      password: true,
      exclude_bots: 0,
      exclude_ips: "192.0.2.7\r\n192.0.2.8",
      created_at: "2026-01-01",
      team: { privacy: 0 },
    };
    expect(decode(website, raw)).toEqual({
      ...found({
        domain: "shop.example",
        privacy: "password",
        password: undefined,
        emailReports: true,
        excludeBots: false,
        excludeIps: ["192.0.2.7", "192.0.2.8"],
      }),
      createdAt: "2026-01-01",
    });
  });
  test("tells what is absent from what is null", () => {
    const { values } = decode(website, {
      id: 1,
      privacy: null,
      email: null,
      exclude_ips: null,
      password: false,
    });
    expect(values).toEqual({ privacy: "public", emailReports: false, excludeIps: [], password: null });
    expect(values).not.toHaveProperty("excludeParams");
    expect(values).not.toHaveProperty("excludeBots");
  });
  test("reads the old names where the new ones are missing", () => {
    expect(decode(website, { id: 1, url: "https://shop.example" }).values).toEqual({
      domain: "shop.example",
    });
    expect(decode(website, { id: 1, url: "b.example", domain: "a.example" }).values).toEqual({
      domain: "a.example",
    });
  });
  test("reads the old name of a pixel's value", () => {
    expect(decode(pixel, { id: 1, pixel_id: "G-1" }).values).toEqual({ value: "G-1" });
  });
  test("takes nothing from a prototype, neither by its name nor by inheritance", () => {
    const raw = JSON.parse('{"__proto__":{"id":9,"domain":"evil.example"},"constructor":1,"privacy":1}');
    expect(decode(website, raw)).toEqual({ id: undefined, values: { privacy: "private" } });
    expect(decode(website, Object.create({ id: 9, domain: "evil.example" }))).toEqual({
      id: undefined,
      values: {},
    });
    expect(Reflect.get({}, "domain")).toBeUndefined();
  });
  test("never throws, whatever the record holds", () => {
    const keys = fc.constantFrom(
      "id",
      "domain",
      "url",
      "privacy",
      "email",
      "password",
      "exclude_ips",
      "__proto__",
      "name",
    );
    fc.assert(
      fc.property(fc.dictionary(keys, fc.jsonValue()), (raw) => {
        const record = decode(website, JSON.parse(JSON.stringify(raw)));
        expect(record.id === undefined || /^[\w-]{1,64}$/.test(record.id)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

test("encode sends the named arguments under their wire names, and what was dropped as empty", () => {
  const args = {
    domain: "Shop.example",
    privacy: "public",
    emailReports: false,
    excludeIps: ["192.0.2.7", "192.0.2.8"],
  };
  expect(encode(website, args, ["domain", "privacy", "emailReports", "excludeIps"])).toEqual({
    domain: "shop.example",
    privacy: "0",
    email: "0",
    exclude_ips: "192.0.2.7\n192.0.2.8",
  });
  expect(encode(website, {}, ["excludeParams", "password"])).toStrictEqual({ exclude_params: "" });
  expect(() => encode(website, {}, ["colour"])).toThrow(new TypeError("there is no field colour"));
});

describe("changed", () => {
  test("names what differs by more than spelling", () => {
    const olds = { domain: "Shop.example", privacy: "private", excludeIps: ["192.0.2.7", "192.0.2.8"] };
    expect(
      changedFields(website, olds, {
        ...olds,
        domain: "SHOP.EXAMPLE.",
        excludeIps: ["192.0.2.8", "192.0.2.7"],
      }),
    ).toEqual([]);
    expect(changedFields(website, olds, { ...olds, privacy: "public" })).toEqual(["privacy"]);
    expect(changedFields(website, olds, { ...olds, domain: "b.example" })).toEqual(["domain"]);
  });
  test("takes a dropped list for an empty one, and a dropped secret for no change", () => {
    expect(changedFields(website, { excludeIps: ["192.0.2.7"], password: "p" }, {})).toEqual(["excludeIps"]);
    expect(changedFields(website, { excludeIps: [] }, {})).toEqual([]);
    expect(changedFields(website, {}, { excludeIps: [] })).toEqual(["excludeIps"]);
    expect(changedFields(website, {}, {})).toEqual([]);
  });
  test("holds what is unknown to be a change", () => {
    expect(changedFields(website, { privacy: "private" }, { privacy: UNKNOWN })).toEqual(["privacy"]);
    expect(changedFields(website, { excludeIps: ["192.0.2.7"] }, { excludeIps: [UNKNOWN] })).toEqual([
      "excludeIps",
    ]);
  });
  test("adopt is never one", () =>
    expect(changedFields(website, { adopt: false }, { adopt: true })).toEqual([]));
});

describe("settle", () => {
  const state = { domain: "WWW.Shop.example", privacy: "private", password: "p", emailReports: false };
  test("keeps the program's spelling where the server holds the same, and takes the server's value elsewhere", () => {
    const record = found({ domain: "shop.example", privacy: "public", emailReports: false });
    expect(mergeRemote(website, state, record)).toEqual({ ...state, privacy: "public" });
  });
  test("keeps what the server says nothing of, and drops what it says is not set", () => {
    expect(mergeRemote(website, state, found({ domain: "www.shop.example" }))).toEqual(state);
    const { password: _gone, ...rest } = state;
    expect(mergeRemote(website, state, found({ password: null }))).toEqual(rest);
  });
  test("leaves out what the program does not manage, unless all is wanted", () => {
    const record = found({ domain: "shop.example", excludeIps: ["192.0.2.7"], privacy: "public" });
    expect(mergeRemote(website, state, record)).not.toHaveProperty("excludeIps");
    expect(mergeRemote(website, {}, record)).toStrictEqual({ domain: "shop.example", privacy: "public" });
    expect(mergeRemote(website, {}, record, true)).toStrictEqual(record.values);
    expect(mergeRemote(website, { ...state, excludeIps: [] }, record)).toMatchObject({
      excludeIps: ["192.0.2.7"],
    });
  });
});

describe("unlike", () => {
  const sent = {
    domain: "www.shop.example",
    privacy: "private",
    excludeIps: ["192.0.2.7", "192.0.2.8"],
    password: "p",
  };
  const names = Object.keys(sent);
  test("is silent on what came back as sent, on another spelling of it, and on what did not come back", () => {
    const record = { domain: "shop.example", privacy: "private", excludeIps: ["192.0.2.8", "192.0.2.7"] };
    expect(mismatches(website, sent, names, found(record))).toEqual([]);
    expect(mismatches(website, sent, names, found({}))).toEqual([]);
  });
  test("names what differs and what is not set", () => {
    const record = { privacy: "public", password: null, excludeIps: [] };
    expect(mismatches(website, sent, names, found(record))).toEqual(["privacy", "excludeIps", "password"]);
    expect(mismatches(website, {}, ["excludeIps"], found({ excludeIps: ["192.0.2.7"] }))).toEqual([
      "excludeIps",
    ]);
    expect(mismatches(website, sent, ["domain"], found({ domain: null }))).toEqual(["domain"]);
  });
  test("has nothing to say of what was not sent and can't be emptied", () => {
    expect(mismatches(website, {}, ["privacy"], found({ privacy: "public" }))).toEqual([]);
  });
});

describe("whether a record is the one in state", () => {
  test("goes by the domain of a website", () => {
    expect(isSameRecord(website, { domain: "WWW.a.example" }, found({ domain: "a.example" }))).toBe(true);
    expect(isSameRecord(website, { domain: "a.example" }, found({ domain: "b.example" }))).toBe(false);
    expect(isSameRecord(website, { domain: "a.example" }, found({}))).toBe(false);
    expect(isSameRecord(website, {}, found({ domain: "a.example" }))).toBe(false);
  });
  test("goes by the name or the value of a pixel", () => {
    const state = { name: "GA", value: "G-1", type: "bing" };
    expect(isSameRecord(pixel, state, found({ name: "GA", value: "G-2" }))).toBe(true);
    expect(isSameRecord(pixel, state, found({ name: "other", value: "G-1" }))).toBe(true);
    expect(isSameRecord(pixel, state, found({ name: "other", value: "G-2", type: "bing" }))).toBe(false);
    expect(isSameRecord(pixel, state, found({ name: null, value: undefined }))).toBe(false);
  });
  test("and its key is one to the letter, or may have been made of it", () => {
    const has = (key: unknown, values: Record<string, unknown>) =>
      filterByKey(website, key, [found(values)]).length === 1;
    expect(has("A.example.", { domain: "a.example" })).toBe(true);
    expect(has("www.a.example", { domain: "a.example" })).toBe(false);
    expect(couldHaveKey(website, "www.a.example", found({ domain: "a.example" }))).toBe(true);
    expect(couldHaveKey(website, "a.example", found({ domain: "www.a.example" }))).toBe(false);
    expect(has("a.example", { domain: null })).toBe(false);
    expect(has("a.example", {})).toBe(false);
  });
  test("is one of many with its key, whoever asks first", () => {
    const [a, b, again] = ["a.example", "b.example", "A.example"].map((domain) => found({ domain }));
    const all = [a, b, again].filter((each) => each !== undefined);
    expect(filterByKey(website, "c.example", all)).toEqual([]);
    expect(filterByKey(website, "a.example", all)).toEqual([a, again]);
    expect(filterByKey(website, "b.example", all)).toEqual([b]);
  });
});

describe("what a list says of a record is all there is to know of it", () => {
  const state = { domain: "WWW.Shop.example", privacy: "private", emailReports: false, excludeBots: true };
  const listed = { domain: "shop.example", privacy: "private", emailReports: false, excludeBots: true };
  const allOf = (known: object, values: object) =>
    matchesState(website, { ...state, ...known }, found({ ...listed, ...values }));

  test("where it says the same as state, spelling apart", () => {
    expect(allOf({}, {})).toBe(true);
    expect(allOf({ excludeIps: ["192.0.2.7"] }, { excludeIps: ["192.0.2.7"] })).toBe(true);
  });
  test("whatever it says of what the program does not manage", () =>
    expect(allOf({}, { excludeIps: ["192.0.2.7"] })).toBe(true));
  test("though it never shows a password or the list of parameters", () =>
    expect(allOf({ password: "p", excludeParams: ["ref"] }, {})).toBe(true));
  test.each<[string, object, object]>([
    ["says something else", {}, { privacy: "public" }],
    ["says nothing of a field that it should show", { excludeIps: ["192.0.2.7"] }, {}],
    ["says that a password is not set", { password: "p" }, { password: null }],
    ["says that a name is not set", {}, { domain: null }],
    ["is to fill in a default that state does not have", { privacy: undefined }, {}],
    ["is to fill in a key that state does not have", { domain: undefined }, {}],
  ])("but not where it %s", (_, known, values) => expect(allOf(known, values)).toBe(false));
});

describe("a resource's collection", () => {
  test("has its path, and reads its records", () => {
    const { path, decode: read } = collectionOf(website);
    expect(path).toBe("/api/v1/websites");
    expect(read({ id: 5, url: "a.example" })).toEqual(found({ domain: "a.example" }));
  });
  test("is asked for a key in its one spelling, by the key's name on the wire", () => {
    expect(collectionOf(website).search("Shop.EXAMPLE.")).toEqual({
      search: "shop.example",
      search_by: "domain",
    });
    expect(collectionOf(goal).search(" GA ")).toEqual({ search: "GA", search_by: "name" });
    expect(collectionOf(pixel).search("GA")).toEqual({ search: "GA", search_by: "name" });
  });
  test("is asked without www., and only without that at the start", () => {
    expect(collectionOf(website).search("www.shop.example")?.search).toBe("shop.example");
    expect(collectionOf(website).search("my.www.shop.example")?.search).toBe("my.www.shop.example");
    expect(collectionOf(website).search("wwwx.example")?.search).toBe("wwwx.example");
  });
  test("is not asked for a key that some servers write otherwise", () => {
    const byType = { ...pixel, key: "type" } as const;
    expect(collectionOf(byType).search("twitter")).toBeUndefined();
    expect(collectionOf(byType).search("bing")).toEqual({ search: "bing", search_by: "type" });
  });
});

test("records are told apart in a message by their ids", () => {
  expect(formatIds([found({}, "5"), { id: undefined, values: {} }])).toBe("id 5, id unknown");
});

test("pick takes a resource's own fields, and of these what is set", () => {
  expect(pick(website, { domain: "a.example", adopt: true, colour: 1, privacy: undefined })).toStrictEqual({
    domain: "a.example",
  });
});

test("a value is shown short, on one line, and hidden where it is secret", () => {
  expect(format(website.inputs.password, "hunter2")).toBe("(secret)");
  expect(format(website.inputs.domain, "a\nb")).toBe('"a\\nb"');
  expect(format(undefined, 5)).toBe("5");
  expect(format(undefined, ["a"])).toBe('["a"]');
  expect(format(undefined, true)).toBe("true");
  expect(format(undefined, "x".repeat(78))).toBe(`"${"x".repeat(78)}"`);
  expect(format(undefined, "x".repeat(79))).toBe(`"${"x".repeat(76)}...`);
  expect(format(undefined, "x".repeat(500)).length).toBe(80);
});
