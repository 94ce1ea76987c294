import { expect, test } from "vitest";
import { RefusedLines } from "../../../provider/hosts/refusals";

const shop = {
  file: "t.yaml",
  lines: { "domain is odd": "t.yaml:2:3: shop" },
  others: ["t.yaml:10:3: blog"],
};
const blog = {
  file: "t.yaml",
  lines: { "domain is bad": "t.yaml:10:3: blog" },
  others: ["t.yaml:2:3: shop"],
};

test("a refusal tells of the file's other doubtful values too, in the order of the file", () => {
  const refused = new RefusedLines();
  expect(refused.reasonsFor(["domain is bad"], blog).map((each) => each.split("\n").slice(1))).toEqual([
    ["t.yaml:2:3: shop", "t.yaml:10:3: blog"],
  ]);
});

test("a value that its record has already is no mistake, once that is known", () => {
  const refused = new RefusedLines();
  expect(refused.reasonsFor([], shop)).toEqual([]);
  expect(refused.reasonsFor(["domain is bad"], blog)).toEqual(["t.yaml:10:3: blog"]);
});

test("what is wrong beside the file is told alone", () => {
  const refused = new RefusedLines();
  expect(refused.reasonsFor(["the key is missing"], shop)).toEqual(["the key is missing"]);
  expect(refused.reasonsFor(["the key is missing"])).toEqual(["the key is missing"]);
});

test("no control character of a file reaches a terminal", () => {
  const reasons = new RefusedLines().reasonsFor(["domain is odd"], { ...shop, others: ["\u001b[31m"] });
  expect(reasons.join()).not.toContain("\u001b");
});
