import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT } from "../../tools/root.mjs";

it("ARCHITECTURE.md names only paths that exist", () => {
  const prose = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8").replace(/^```\w*\n[\s\S]*?^```$/gm, "");
  const published = ["pulumi-tracking/host", "pulumi/pulumi"];
  const named = [...prose.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, path = ""]) => path);
  const own = named.filter((path) => !published.includes(path));
  expect(own.length).toBeGreaterThan(20);
  expect(own.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
