import { describe, expect, test } from "vitest";
import type * as z from "zod";
import {
  flag,
  id,
  maybeText,
  number,
  options,
  text,
  texts,
  textsByName,
} from "../../../provider/lookups/shapes";

/** What a shape makes of a value; `refused` if it does not accept it. */
const made = (shape: z.ZodType, value: unknown): unknown => {
  const result = shape.safeParse(value);
  return result.success ? result.data : "refused";
};

describe("text", () => {
  test.each<[unknown, unknown]>([
    ["a", "a"],
    ["", ""],
    [5, "5"],
    [1.5, "1.5"],
    [2 ** 53 - 1, "9007199254740991"],
    [2 ** 53, "refused"],
    [null, "refused"],
    [undefined, "refused"],
    [true, "refused"],
    [["a"], "refused"],
  ])("of %j is %j", (value, expected) => expect(made(text, value)).toBe(expected));
  test.each<[unknown, unknown]>([
    ["a", "a"],
    [5, "5"],
    ["", ""],
    [null, undefined],
    [undefined, undefined],
    [{}, "refused"],
  ])("that may be absent, of %j, is %j", (value, expected) => expect(made(maybeText, value)).toBe(expected));
});

describe("a number", () => {
  test.each<[unknown, unknown]>([
    [5, 5],
    [-1.5, -1.5],
    ["5", 5],
    [" 12.50 ", 12.5],
    ["-3", -3],
    ["5 EUR", "refused"],
    ["EUR 5", "refused"],
    ["1.", "refused"],
    ["1.x", "refused"],
    ["1,5", "refused"],
    ["1e3", "refused"],
    ["", "refused"],
    [null, "refused"],
    [true, "refused"],
  ])("of %j is %j", (value, expected) => expect(made(number, value)).toBe(expected));
  test("that is an id is held exactly, or refused by saying so", () => {
    expect([made(id, 7), made(id, "7")]).toEqual([7, 7]);
    for (const value of [2 ** 53, "9007199254740993", 1.5])
      expect(id.safeParse(value).error?.issues[0]?.message).toBe("is a number that can't be held exactly");
  });
});

describe("yes or no", () => {
  test.each<[boolean | string, unknown[]]>([
    [true, [true, 1, "1", "true"]],
    [false, [false, 0, "0", "false", "", null]],
    ["refused", ["yes", 2, "2", [], undefined]],
  ])("is %j of each of %j", (expected, values) => {
    for (const value of values) expect(made(flag, value)).toBe(expected);
  });
});

describe("a list of texts", () => {
  test.each<[unknown, string[]]>([
    [
      ["a", "b"],
      ["a", "b"],
    ],
    [
      ["a", 5, null, {}, true],
      ["a", "5"],
    ],
    [{ one: "a", two: "b" }, ["a", "b"]],
    ["a, b ,c", ["a", "b", "c"]],
    ["a,, ,b", ["a", "b"]],
    ["", []],
    [null, []],
    [undefined, []],
    [5, []],
  ])("of %j is %j", (value, expected) => expect(made(texts, value)).toEqual(expected));
  test.each<[unknown, string[]]>([
    [{ Files: "a", Sizes: ["s", "m"] }, ["Files: a", "Sizes: s, m"]],
    [["a"], ["a"]],
    ["a, b", ["a", "b"]],
    [undefined, []],
  ])("that are options, of %j, is %j", (value, expected) => expect(made(options, value)).toEqual(expected));
});

test.each<[unknown, object]>([
  [{ a: "x", b: null, c: 5 }, { a: "x" }],
  [JSON.parse('{"__proto__":"x","a":"y"}'), { a: "y" }],
  [["x"], {}],
  [null, {}],
  [undefined, {}],
])("texts by name, of %j, are %j", (value, expected) => {
  expect(made(textsByName, value)).toStrictEqual(expected);
});

test("what may be anything may also not be there", () => {
  for (const shape of [texts, options, textsByName]) expect(shape.safeParse(undefined).success).toBe(true);
});
