import { expect, test } from "vitest";
import { Refusals } from "../../provider/refusals";
import type { Violation } from "../../provider/schema/validate";

/** What `check` says of a resource's domain. */
const wrong = (breaks: Violation["breaks"] = "argument"): Violation => ({
  argument: "domain",
  breaks,
  text: "domain is odd",
});
const inFile = (line: string, other: string) => ({
  file: "t.yaml",
  lines: [{ argument: "domain", breaks: "argument" as const, line }],
  others: [other],
});
const shop = inFile("t.yaml:2:3: shop", "t.yaml:10:3: blog");
const blog = inFile("t.yaml:10:3: blog", "t.yaml:2:3: shop");

test("a refusal tells of the file's other doubtful values too, in the order of the file", () => {
  const refused = new Refusals();
  expect(refused.reasonsFor([wrong()], blog).map((each) => each.split("\n").slice(1))).toEqual([
    ["t.yaml:2:3: shop", "t.yaml:10:3: blog"],
  ]);
});

test("the head of a refusal counts the mistakes, and tells them all where one is beside the file", () => {
  const refused = new Refusals();
  const [reason] = refused.reasonsFor([wrong(), { text: "the key is missing" }], blog);
  expect(reason?.split("\n")).toEqual([
    "t.yaml: 3 mistakes (a value that its record already has is not counted)",
    "t.yaml:2:3: shop",
    "t.yaml:10:3: blog",
    "the key is missing",
  ]);
});

test("a value that its record has already is no mistake, once that is known", () => {
  const refused = new Refusals();
  expect(refused.reasonsFor([], shop)).toEqual([]);
  expect(refused.reasonsFor([wrong()], blog)).toEqual(["t.yaml:10:3: blog"]);
});

test.each([
  ["beside the file", { text: "the key is missing" }],
  ["with the same argument otherwise", wrong("rule")],
  ["with another argument", { ...wrong(), argument: "value" }],
])("what is wrong %s is told alone, in its own words", (_what, refusal) => {
  const refused = new Refusals();
  expect(refused.reasonsFor([refusal], shop)).toEqual([refusal.text]);
  expect(refused.reasonsFor([refusal])).toEqual([refusal.text]);
});

test("whatever its words, an argument is told by the line of the file", () => {
  const refusal = { ...wrong(), text: "in other words" };
  expect(new Refusals().reasonsFor([refusal], { ...shop, others: [] })).toEqual(["t.yaml:2:3: shop"]);
});

test("no control character of a file reaches a terminal", () => {
  const reasons = new Refusals().reasonsFor([wrong()], { ...shop, others: ["\u001b[31m"] });
  expect(reasons.join()).not.toContain("\u001b");
});
