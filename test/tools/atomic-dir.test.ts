import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDirAtomically, sweep } from "../../tools/atomic-dir.mjs";

describe("a directory created atomically", () => {
  let parent: string;
  let target: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), "folder-"));
    target = join(parent, "made");
  });

  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  const isWhole = (folder: string) => existsSync(join(folder, "last"));
  /** What fills it may look about half-way. */
  const fill = (text: string, halfWay?: () => void) => async (aside: string) => {
    writeFileSync(join(aside, "first"), text);
    await new Promise((resolve) => setImmediate(resolve));
    halfWay?.();
    writeFileSync(join(aside, "last"), text);
  };

  it("is not visible while it is being filled", async () => {
    const seen: boolean[] = [];
    await createDirAtomically(
      target,
      fill("one", () => seen.push(existsSync(target))),
      isWhole,
    );
    expect(seen).toEqual([false]);
    expect(readdirSync(parent)).toEqual(["made"]);
  });

  it("is not created again", async () => {
    await createDirAtomically(target, fill("one"), isWhole);
    await createDirAtomically(target, fill("two"), isWhole);
    expect(readFileSync(join(target, "first"), "utf8")).toBe("one");
  });

  it("replaces an incomplete one", async () => {
    mkdirSync(target);
    writeFileSync(join(target, "first"), "broken");
    await createDirAtomically(target, fill("one"), isWhole);
    expect(readFileSync(join(target, "first"), "utf8")).toBe("one");
    expect(readdirSync(parent)).toEqual(["made"]);
  });

  it("is one complete directory when many create it at once", async () => {
    const makers = Array.from({ length: 20 }, (_, index) => String(index));
    await Promise.all(makers.map((text) => createDirAtomically(target, fill(text), isWhole)));
    expect(readFileSync(join(target, "first"), "utf8")).toBe(readFileSync(join(target, "last"), "utf8"));
    expect(readdirSync(parent)).toEqual(["made"]);
  });

  it("removes what a killed process left an hour ago, and nothing else", async () => {
    const hourAgo = new Date(Date.now() - 3_700_000);
    for (const name of [".made-killed", ".other", "kept"]) {
      mkdirSync(join(parent, name));
      utimesSync(join(parent, name), hourAgo, hourAgo);
    }
    mkdirSync(join(parent, ".made-running"));
    await createDirAtomically(target, fill("one"), isWhole);
    expect(readdirSync(parent).sort()).toEqual([".made-running", ".other", "kept", "made"]);
  });

  it("is removed when unused for the given time", async () => {
    mkdirSync(join(parent, "old"));
    mkdirSync(join(parent, "new"));
    utimesSync(join(parent, "old"), new Date(0), new Date(0));
    await sweep(parent, 1_000);
    expect(readdirSync(parent)).toEqual(["new"]);
  });
});
