import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../tools/root.mjs";
import { readme } from "./readme";

it("the README opens with a picture of the demo, which npm run picture draws", () => {
  expect(readFileSync(join(ROOT, "docs", "demo.svg"), "utf8")).toMatch(/^<svg .*\n<title>npm run demo: /);
  const place = readme.indexOf("](docs/demo.svg)");
  expect(place).toBeGreaterThan(0);
  expect(readme.slice(0, place)).not.toMatch(/^(##|```|\|)/m);
});
