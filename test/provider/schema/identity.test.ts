import { describe, expect, test } from "vitest";
import { pixel, website } from "../../../provider/resources";
import {
  creationEntry,
  filterByKey,
  indexByKey,
  isOfAnotherTime,
  isSame,
  keyEntries,
  stateAfter,
} from "../../../provider/schema/identity";
import type { Values } from "../../../provider/schema/resource";

const found = (values: Record<string, unknown>, id: string | undefined = "5") => ({ id, values });

describe("whether a record is the one in state", () => {
  test("goes by its exact key, in any spelling, and by the form of it that the service stores", () => {
    const is = (state: Values, domain?: unknown) => isSame(website, state, found({ domain }));
    expect(is({ domain: "A.example." }, "a.example")).toBe(true);
    expect(is({ domain: "www.a.example" }, "a.example")).toBe(false);
    expect(is({ domain: "a.example" }, undefined)).toBe(false);
    expect(is({}, "a.example")).toBe(false);
    // Neither of two without a key is known.
    expect(is({}, undefined)).toBe(false);
    const stripped = keyEntries(website, { domain: "www.a.example" }, found({ domain: "a.example" }));
    expect(stripped.domain).toBe("www.a.example");
    const known = ["www.a.example", "a.example", "b.example"];
    expect(known.map((each) => is(stripped, each))).toEqual([true, true, false]);
    // What the service has made of a key is known again, though nobody can see how.
    const odd = { ...stripped, domain: "m.a.example" };
    expect(keyEntries(website, odd, found({ domain: "a.example" }))).toEqual(odd);
    expect(keyEntries(website, stripped)).toEqual(stripped);
    expect(JSON.stringify(stripped)).not.toMatch(/"a\.example/);
    expect(keyEntries(pixel, { name: "a" }, found({ name: "b" }))).toEqual({ name: "b" });
  });
  test("is noted in state in a form that never changes", () => {
    const stored = { ...found({ domain: "a.example" }), createdAt: "2026-11-28 05:34:13" };
    expect(stateAfter(website, {}, { domain: "www.a.example" }, stored)).toEqual({
      domain: "www.a.example",
      __storedKey: "e0f65f7ccd7a922e7c6583dafb915619",
      __at: "tp7651",
    });
  });
  const [time, other] = ["2024-03-01T10:11:12.000000Z", "2024-03-01T10:18:13.000000Z"];
  // In state and on the service; whether it is the same under its key, and a pixel under another name.
  test.each<[unknown, string | undefined, underItsKey: boolean, underAnother: boolean]>([
    [time, time, true, true],
    [time, "2024-03-01 10:11:12", true, true],
    [time, other, false, false],
    // Rounded, and in another time zone.
    [time, "2024-03-01T10:11:13.000000Z", true, false],
    [time, "2024-03-01T15:41:12.000000Z", true, false],
    [time, "2024-03-01T15:41:11.000000Z", true, false],
    ...[undefined, "", "1709287872", "2024-03-01"].map(
      (shown) => [time, shown, true, false] as [string, string, boolean, boolean],
    ),
    ...[
      "0000-00-00 00:00:00",
      "-0001-11-30T00:00:00.000000Z",
      "1970-01-01 00:00:00",
      "",
      "soon",
      undefined,
    ].flatMap((none) =>
      [none, time].map(
        (shown) => [none, shown, true, false] as [unknown, string | undefined, boolean, boolean],
      ),
    ),
  ])(
    "goes by the time of its creation, %s in state, where the service shows %s; a website's domain never changes",
    (inState, createdAt, ...expected) => {
      const note = creationEntry({}, { createdAt: inState as string });
      const shown = ["a", "b"].map((key) => ({
        ...found({ domain: `${key}.example`, name: key }),
        createdAt,
      }));
      expect(shown.map((each) => isSame(pixel, { name: "a", ...note }, each))).toEqual(expected);
      expect(shown.map((each) => isSame(website, { domain: "a.example", ...note }, each))).toEqual([
        expected[0],
        false,
      ]);
      expect(shown.map((each) => isOfAnotherTime(note, each))).toEqual([!expected[0], !expected[0]]);
    },
  );
  test("keeps the time that was noted first", () => {
    const shown = (createdAt: string) => ({ ...found({}), createdAt });
    const noted = { __at: "s9nyyo" };
    expect(keyEntries(website, {}, shown(time))).toEqual(noted);
    expect(keyEntries(website, {}, shown("soon"))).toEqual({});
    expect(keyEntries(website, noted, shown(other))).toEqual(noted);
    expect(stateAfter(website, noted, { privacy: "public" }, shown(other))).toEqual({
      privacy: "public",
      ...noted,
    });
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
