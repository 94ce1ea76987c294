import { expect, test } from "vitest";
import { Standing } from "../../../provider/lifecycle";
import { pixel } from "../../../provider/resources";
import { UNKNOWN } from "../../../provider/schema/resource";

const args = (name: unknown) => ({ name, type: "bing", value: "1" });

test("a record stays whose resource is declared as it was", () => {
  const standing = new Standing(pixel);
  standing.declare(args("GA"), args("GA"));
  standing.hold("7", args("GA"));
  expect([standing.has("7"), standing.has("8")]).toEqual([true, false]);
});

test("a record stays whose resource is declared with another key, which it will have", () => {
  const standing = new Standing(pixel);
  standing.declare(args("GA"), args("GB"));
  standing.hold("7", args("GB"));
  expect(standing.has("7")).toBe(true);
});

test("a record goes that is to be replaced, since its resource is then declared as new", () => {
  const standing = new Standing(pixel);
  standing.declare(args("GA"), args("GA"));
  standing.hold("7", args("GA"));
  standing.declare({}, args("GA"));
  expect(standing.has("7")).toBe(false);
});

test("a record goes that only a refresh has compared, or whose key is not known", () => {
  const standing = new Standing(pixel);
  standing.hold("7", args("GA"));
  standing.declare(args("GA"), args(UNKNOWN));
  standing.hold("8", args(UNKNOWN));
  expect([standing.has("7"), standing.has("8")]).toEqual([false, false]);
});
