import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { run } from "../../tools/child.mjs";
import { ROOT } from "../../tools/root.mjs";
import { commitAll, copySources, scratch } from "./clone";

/** npm's description of a tarball. */
interface Packed {
  filename: string;
  size: number;
  files: { path: string }[];
}

describe("the packed package", () => {
  let bytes: Buffer;
  let manifest: Record<string, unknown>;
  beforeAll(async () => {
    bytes = await readFile(inject("tarball"));
    manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  });

  it("passes publint", async () => {
    const { messages } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
    expect(messages).toEqual([]);
  });

  it("has types that every module resolution finds", async () => {
    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
    expect(result.types && result.problems).toEqual([]);
  });

  it("is small, and contains only what is built", async () => {
    const { size, files } = await pack(ROOT, ["--dry-run"]);
    expect(size).toBe(bytes.length);
    // The plugin is one file with all that it needs.
    const plugin = gzipSync(
      await readFile(join(ROOT, "dist", "plugin", "pulumi-resource-tracking.js")),
    ).length;
    expect(plugin).toBeLessThanOrEqual(500_000);
    expect(size - plugin).toBeLessThanOrEqual(150_000);
    expect(files.length).toBeLessThanOrEqual(60);
    const places = new Set(files.map(({ path }) => path.split("/")[0]));
    expect([...places].sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  });

  it("runs nothing when it is installed", () => {
    const scripts = Object.keys(manifest.scripts as object);
    expect(scripts.filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
  });

  // `examples.test.ts` packs it in a clone that was never built.
  it("is the same files when it is installed from git", async () => {
    const clone = await clonedSources();
    await commitAll(clone);
    const folder = await temporary("from-git");
    await writeFile(join(folder, "package.json"), "{}");
    const source = `git+${pathToFileURL(clone).href}`;
    await run("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", source], { cwd: folder });
    const unpacked = await temporary("unpacked");
    await run("tar", ["-xzf", inject("tarball"), "-C", unpacked]);
    const installed = await digests(join(folder, "node_modules", "pulumi-tracking"));
    expect(installed).toEqual(await digests(join(unpacked, "package")));
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

/** The files in a folder, each with a digest of its content. */
async function digests(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const rows = files.map(async (file) => [relative(folder, file), digest(await readFile(file))]);
  return Object.fromEntries((await Promise.all(rows)).sort());
}

async function pack(folder: string, args: string[] = []): Promise<Packed> {
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", ...args], { cwd: folder });
  const [packed] = JSON.parse(stdout) as [Packed];
  return packed;
}

function digest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
