import { describe, expect, test } from "vitest";
import { website } from "../../../provider/resources";
import {
  creationAfter,
  filterByKey,
  identify,
  indexByKey,
  keyEntries,
} from "../../../provider/schema/identity";
import type { Values } from "../../../provider/schema/resource";

const found = (values: Record<string, unknown>, id: string | undefined = "5") => ({ id, values });

describe("whether a record is the one in state", () => {
  test("goes by its exact key, in any spelling, and by what state notes beside it", () => {
    const isSame = (state: Values, domain?: unknown) =>
      identify(website, state, found({ domain })) === "same";
    expect(isSame({ domain: "A.example." }, "a.example")).toBe(true);
    expect(isSame({ domain: "www.a.example" }, "a.example")).toBe(false);
    expect(isSame({ domain: "a.example" }, undefined)).toBe(false);
    expect(isSame({}, "a.example")).toBe(false);
    const [stripped, renamed] = [
      keyEntries(website, { domain: "www.a.example" }, found({ domain: "a.example" })),
      keyEntries(website, { domain: "a.example" }, found({ domain: "b.example" })),
    ];
    expect([stripped.domain, renamed.domain]).toEqual(["www.a.example", "b.example"]);
    const known = ["www.a.example", "a.example", "b.example", "c.example"];
    expect(known.map((each) => isSame(stripped, each))).toEqual([true, true, false, false]);
    expect(known.map((each) => isSame(renamed, each))).toEqual([false, false, true, false]);
    // Renamed once more, it is still the one that the program declares.
    const again = keyEntries(website, renamed, found({ domain: "c.example" }));
    expect(again).toEqual({ ...renamed, domain: "c.example" });
    // Once it has the program's name again, nothing is left of the renames.
    expect(keyEntries(website, again, found({ domain: "a.example" }))).toEqual({ domain: "a.example" });
    // What the service has made of a key is known again, though nobody can see how.
    const odd = { ...stripped, domain: "m.a.example" };
    expect(keyEntries(website, odd, found({ domain: "a.example" }))).toEqual(odd);
    expect(keyEntries(website, stripped)).toEqual(stripped);
    expect(JSON.stringify([stripped, renamed])).not.toMatch(/"a\.example/);
  });
  const [time, other] = ["2024-03-01T10:11:12.000000Z", "2024-03-01T10:18:13.000000Z"];
  test.each<[unknown, string | undefined, underItsKey: string, underAnother: string]>([
    [time, time, "same", "renamed"],
    [time, "2024-03-01 10:11:12", "same", "renamed"],
    [time, other, "another", "another"],
    // Rounded, and in another time zone.
    [time, "2024-03-01T10:11:13.000000Z", "same", "maybe-renamed"],
    [time, "2024-03-01T15:41:12.000000Z", "same", "maybe-renamed"],
    [time, "2024-03-01T15:41:11.000000Z", "same", "maybe-renamed"],
    ...[undefined, "", "1709287872", "2024-03-01"].map(
      (shown) => [time, shown, "same", "maybe-renamed"] as [string, string, string, string],
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
        (shown) => [none, shown, "same", "maybe-renamed"] as [unknown, string | undefined, string, string],
      ),
    ),
  ])(
    "goes by the time of its creation, %s in state, where the service shows %s",
    (__createdAt, createdAt, ...expected) => {
      const shown = ["a.example", "b.example"].map((domain) => ({ ...found({ domain }), createdAt }));
      // As older states note it, and as today's do.
      for (const note of [{ __createdAt }, creationAfter({ __createdAt })]) {
        const state = { domain: "a.example", ...note };
        expect(shown.map((each) => identify(website, state, each))).toEqual(expected);
      }
    },
  );
  test("keeps the time in state, but for another one that the service shows after a write of our own", () => {
    const shown = (createdAt: string) => ({ ...found({}), createdAt });
    const [noted, ofOther] = [{ __at: "s9nyyo" }, { __at: "s9nzad" }];
    expect(keyEntries(website, {}, shown(time))).toEqual(noted);
    expect(keyEntries(website, {}, shown("soon"))).toEqual({});
    for (const state of [noted, { __createdAt: time }]) {
      expect(keyEntries(website, state, shown(other))).toEqual(state);
      expect(creationAfter(state, shown(other))).toEqual(ofOther);
      for (const same of ["2024-03-01 10:11:12", "soon"])
        expect(creationAfter(state, shown(same))).toEqual(noted);
      expect(creationAfter(state)).toEqual(noted);
    }
    expect(creationAfter({ __createdAt: "soon" }, shown(time))).toEqual(noted);
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
