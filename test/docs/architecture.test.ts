import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ROOT } from "../../tools/root.mjs";

const text = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");
const prose = text.replace(/^```\w*\n[\s\S]*?^```$/gm, "");
/** The paths between backticks, such as `provider/api/retry.ts`; a word alone counts if it is a folder's name. */
const paths = [...prose.matchAll(/`([\w.-]+(?:\/[\w.-]+)+|[a-z]+)`/g)].map(([, path = ""]) => path);
const folders = (of: string) =>
  readdirSync(join(ROOT, of), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .map(({ name }) => join(of, name).replaceAll("\\", "/"));

describe("ARCHITECTURE.md", () => {
  it("names only paths that exist", () => {
    const published = ["pulumi-tracking/host", "pulumi/pulumi"];
    const named = paths.filter((path) => path.includes("/") && !published.includes(path));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it("names every folder of the sources, and every one beside them", () => {
    const unnamed = ["dist", "node_modules", "reports"];
    const all = [".", "provider", "cli", "emulator"]
      .flatMap(folders)
      .filter((folder) => !unnamed.includes(folder));
    expect(all.filter((folder) => !paths.includes(folder))).toEqual([]);
  });
});
