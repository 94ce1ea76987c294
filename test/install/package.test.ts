import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { run } from "../../tools/child.mjs";
import { commitAll, copySources, scratch } from "./clone";

describe("the packed package", () => {
  let bytes: Buffer;
  let unpacked: string;
  beforeAll(async () => {
    bytes = await readFile(inject("tarball"));
    unpacked = await scratch("unpacked", afterAll);
    await run("tar", ["-xzf", inject("tarball"), "-C", unpacked, "--strip-components=1"]);
  });

  it("passes publint", async () => {
    const { messages } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
    expect(messages).toEqual([]);
  });

  it("has types that every module resolution finds", async () => {
    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
    expect(result.types && result.problems).toEqual([]);
  });

  it("is small, and contains what is built, and the pages that messages name", async () => {
    const plugin = await readFile(join(unpacked, "dist", "plugin", "pulumi-resource-tracking.js"));
    expect(bytes.length).toBeLessThanOrEqual(450_000);
    expect(bytes.length - gzipSync(plugin).length).toBeLessThanOrEqual(160_000);
    expect(Object.keys(await digests(unpacked)).length).toBeLessThanOrEqual(60);
    expect((await readdir(unpacked)).sort()).toEqual([
      "LICENSE",
      "README.md",
      "dist",
      "docs",
      "package.json",
    ]);
    const pages = ["guide.md", "limits.md", "other-languages.md", "recipes.md", "reference"];
    expect((await readdir(join(unpacked, "docs"))).sort()).toEqual(pages);
  });

  it("has no script of which npm warns those who install it", async () => {
    const manifest = JSON.parse(await readFile(join(unpacked, "package.json"), "utf8"));
    expect(manifest).toMatchObject({ name: "pulumi-tracking", main: "./dist/sdk/index.js" });
    expect(Object.keys(manifest.scripts).filter((name) => /install|prepare/.test(name))).toEqual([
      "test:install",
    ]);
  });

  // `examples.test.ts` has `npm pack` make the same tarball in a clone that was never built.
  it("is the same files when it is installed from git", async () => {
    const clone = await clonedSources();
    await commitAll(clone);
    const folder = await temporary("from-git");
    await writeFile(join(folder, "package.json"), "{}");
    const source = `git+${pathToFileURL(clone).href}`;
    await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", source], { cwd: folder });
    const installed = await digests(join(folder, "node_modules", "pulumi-tracking"));
    expect(installed).toEqual(await digests(unpacked));
    expect(Object.keys(installed).length).toBeGreaterThan(10);
    // For this, npm installs all packages of the repository.
  }, 600_000);
});

async function temporary(name: string): Promise<string> {
  return scratch(name, onTestFinished);
}

async function clonedSources(): Promise<string> {
  const clone = await temporary("clone");
  await copySources(clone);
  return clone;
}

/** The files in a folder but the manifest, and what npm puts beside them, each with a digest of its content. */
async function digests(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && entry.name !== "package.json")
    .filter(({ parentPath }) => !parentPath.startsWith(join(folder, "node_modules")))
    .map(({ parentPath, name }) => join(parentPath, name));
  const rows = files.map(async (file) => [relative(folder, file), digest(await readFile(file))]);
  return Object.fromEntries((await Promise.all(rows)).sort());
}

function digest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
