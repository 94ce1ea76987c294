import { describe, expect, test } from "vitest";
import { pixel, website } from "../../../provider/resources";
import { changedFields, matchesState, mergeRemote, mismatches, pick } from "../../../provider/schema/compare";

const found = (values: Record<string, unknown>, id: string | undefined = "5") => ({ id, values });

describe("changedFields", () => {
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
});

describe("mergeRemote", () => {
  const state = { domain: "WWW.Shop.example", privacy: "private", password: "p", emailReports: false };
  test("keeps what the server says nothing of, and drops what it says is not set", () => {
    expect(mergeRemote(website, state, found({ domain: "www.shop.example" }))).toEqual(state);
    const { password: _gone, ...rest } = state;
    expect(mergeRemote(website, state, found({ password: null }))).toEqual(rest);
  });
  test("leaves out what the program does not manage, unless all is wanted", () => {
    const record = found({ domain: "shop.example", excludeIps: ["192.0.2.7"], privacy: "public" });
    expect(mergeRemote(website, state, record)).not.toHaveProperty("excludeIps");
    expect(mergeRemote(website, {}, record)).toStrictEqual({ domain: "shop.example", privacy: "public" });
    expect(mergeRemote(website, {}, record, "all")).toStrictEqual(record.values);
    expect(mergeRemote(website, { ...state, excludeIps: [] }, record)).toMatchObject({
      excludeIps: ["192.0.2.7"],
    });
  });
});

describe("mismatches", () => {
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

describe("what a list says of a record is all there is to know of it", () => {
  const state = { domain: "WWW.Shop.example", privacy: "private", emailReports: false, excludeBots: true };
  const listed = { domain: "shop.example", privacy: "private", emailReports: false, excludeBots: true };
  const allOf = (known: object, values: object) =>
    matchesState(website, { ...state, ...known }, found({ ...listed, ...values }));

  test("though it never shows a password or the list of parameters", () =>
    expect(allOf({ password: "p", excludeParams: ["ref"] }, {})).toBe(true));
  test.each<[string, object, object]>([
    ["says something else", {}, { privacy: "public" }],
    ["says nothing of a field that it should show", { excludeIps: ["192.0.2.7"] }, {}],
    ["says that a name is not set", {}, { domain: null }],
  ])("but not where it %s", (_, known, values) => expect(allOf(known, values)).toBe(false));
  test("nor where it says that a text is not set", () => {
    const tag = { name: "A", type: "bing", value: "1" };
    const isAll = [tag, { ...tag, name: null }].map((each) => matchesState(pixel, tag, found(each)));
    expect(isAll).toEqual([true, false]);
  });
});

test("pick takes a resource's own fields, and of these what is set", () => {
  expect(pick(website, { domain: "a.example", adopt: true, colour: 1, privacy: undefined })).toStrictEqual({
    domain: "a.example",
  });
});
