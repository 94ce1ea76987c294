import { describe, expect, test } from "vitest";
import { website } from "../../../provider/resources";
import { filterByKey, indexByKey, isSameRecord, keyEntries } from "../../../provider/schema/identity";
import type { Values } from "../../../provider/schema/resource";

const found = (values: Record<string, unknown>, id: string | undefined = "5") => ({ id, values });

describe("whether a record is the one in state", () => {
  test("goes by its exact key, in any spelling, and by what state notes beside it", () => {
    const isSame = (state: Values, domain?: unknown) => isSameRecord(website, state, found({ domain }));
    expect(isSame({ domain: "A.example." }, "a.example")).toBe(true);
    expect(isSame({ domain: "www.a.example" }, "a.example")).toBe(false);
    expect(isSame({ domain: "a.example" }, undefined)).toBe(false);
    expect(isSame({}, "a.example")).toBe(false);
    const [stripped, renamed] = [
      keyEntries(website, { domain: "www.a.example" }, "a.example"),
      keyEntries(website, { domain: "a.example" }, "b.example"),
    ];
    expect([stripped.domain, renamed.domain]).toEqual(["www.a.example", "b.example"]);
    const known = ["www.a.example", "a.example", "b.example", "c.example"];
    expect(known.map((each) => isSame(stripped, each))).toEqual([true, true, false, false]);
    expect(known.map((each) => isSame(renamed, each))).toEqual([false, false, true, false]);
    expect(JSON.stringify([stripped, renamed])).not.toMatch(/"a\.example/);
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
