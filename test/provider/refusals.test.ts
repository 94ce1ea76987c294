import { expect, test } from "vitest";
import { reasonsFor } from "../../provider/refusals";

const SAID = "domain is odd";
const others = ["t.yaml:2:3: shop: domain is odd", "t.yaml:10:3: blog: domain is odd"];
/** What the file says of the second resource. */
const blog = { lines: { [SAID]: "t.yaml:10:3: blog: domain is odd" }, others };

test("what a file declares is refused by its line there, with the lines that may be refused next", () => {
  const [own, rest = ""] = reasonsFor([SAID], blog);
  expect(own).toBe("t.yaml:10:3: blog: domain is odd");
  expect(rest.split("\n").slice(1)).toEqual(["t.yaml:2:3: shop: domain is odd"]);
  expect(reasonsFor([SAID], { ...blog, others: others.slice(1) })).toEqual([own]);
});

test("what the file does not foresee is told alone, in its own words", () => {
  for (const said of ["the key is missing", "domain is odder"])
    expect(reasonsFor([said], blog)).toEqual([said]);
  expect(reasonsFor([SAID])).toEqual([SAID]);
});

test("nothing is told of what is not refused", () => expect(reasonsFor([], blog)).toEqual([]));

test("no control character of a file reaches a terminal", () => {
  const reasons = reasonsFor([SAID], { ...blog, others: ["\u001b[31m"] });
  expect(reasons.join()).not.toContain("\u001b");
});
