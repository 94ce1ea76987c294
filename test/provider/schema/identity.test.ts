import { describe, expect, test } from "vitest";
import { pixel, website } from "../../../provider/resources";
import { filterByKey, indexByKey, isSameRecord } from "../../../provider/schema/identity";

const found = (values: Record<string, unknown>, id: string | undefined = "5") => ({ id, values });

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
    expect(has("a.example", { domain: null })).toBe(false);
    expect(has("a.example", {})).toBe(false);
  });
  test("is one of many with its key, or with the form of it that a server may hold", () => {
    const domains = ["a.example", "b.example", "A.example", "www.b.example", null];
    const all = domains.map((domain, at) => found({ domain }, `${at}`));
    const withKey = indexByKey(website, all);
    const ids = (key: string) => withKey(key).map(({ id }) => id);
    expect(["c.example", "a.example.", "b.example"].map(ids)).toEqual([[], ["0", "2"], ["1"]]);
    expect(["www.a.example", "WWW.b.example", "www.www.b.example"].map(ids)).toEqual([
      ["0", "2"],
      ["3", "1"],
      ["3"],
    ]);
    expect(filterByKey(website, "a.example", all).map(({ id }) => id)).toEqual(["0", "2"]);
  });
});
