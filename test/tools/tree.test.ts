import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { linkTree } from "../../tools/tree.mjs";

describe("a linked copy of a folder of packages", () => {
  let root: string;

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), "tree-"));
    for (const name of ["theirs", "ours"]) {
      mkdirSync(join(root, "from", name, "dist"), { recursive: true });
      writeFileSync(join(root, "from", name, "dist", "index.js"), name);
    }
    symlinkSync("theirs/dist", join(root, "from", "shortcut"));
    await linkTree(join(root, "from"), join(root, "to"), (name) => name === "ours");
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it("holds the same files and links", () => {
    expect(readFileSync(join(root, "to", "theirs", "dist", "index.js"), "utf8")).toBe("theirs");
    expect(readlinkSync(join(root, "to", "shortcut"))).toBe("theirs/dist");
  });

  it("shares the files that nobody writes to", () => {
    expect(statSync(join(root, "to", "theirs", "dist", "index.js")).nlink).toBe(2);
  });

  it("can be written to where it is a copy, without changing the original", () => {
    writeFileSync(join(root, "to", "ours", "dist", "index.js"), "changed");
    expect(readFileSync(join(root, "from", "ours", "dist", "index.js"), "utf8")).toBe("ours");
  });
});
