import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { run } from "../../tools/child.mjs";
import { ROOT } from "../../tools/root.mjs";

/** npm's own account of a tarball. */
interface Packed {
  filename: string;
  size: number;
  files: { path: string }[];
}

/** What a build is made of. */
const SOURCES = ["provider", "sdk", "cli", "emulator", "tools", "README.md", "LICENSE", "package.json"];
const SETTINGS = ["tsconfig.json", "tsconfig.build.json"];

describe("the packed package", () => {
  let bytes: Buffer;
  let manifest: Record<string, unknown>;
  beforeAll(async () => {
    bytes = await readFile(inject("tarball"));
    manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  });

  it("has nothing that publint finds", async () => {
    const { messages } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true });
    expect(messages).toEqual([]);
  });

  it("has types that every way of resolving them finds", async () => {
    const result = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));
    expect(result.types && result.problems).toEqual([]);
  });

  it("is small, and holds what is built and nothing else", async () => {
    const { size, files } = await pack(ROOT, ["--dry-run"]);
    expect(size).toBe(bytes.length);
    expect(size).toBeLessThanOrEqual(150_000);
    expect(files.length).toBeLessThanOrEqual(60);
    const places = new Set(files.map(({ path }) => path.split("/")[0]));
    expect([...places].sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  });

  it("runs nothing when it is installed", () => {
    const scripts = Object.keys(manifest.scripts as object);
    expect(scripts.filter((name) => /^(pre|post)?(install|prepare|pack|publish)/.test(name))).toEqual([]);
  });

  it("is the same bytes when it is built and packed anew in another folder", async () => {
    const folder = await mkdtemp(join(tmpdir(), "pulumi-tracking-again-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    for (const name of [...SOURCES, ...SETTINGS])
      await cp(join(ROOT, name), join(folder, name), { recursive: true });
    await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
    await run(process.execPath, [join(folder, "tools", "build.mjs")], { cwd: folder });
    const { filename } = await pack(folder);
    expect(digest(await readFile(join(folder, filename)))).toBe(digest(bytes));
  });
});

async function pack(folder: string, args: string[] = []): Promise<Packed> {
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", ...args], { cwd: folder });
  const [packed] = JSON.parse(stdout) as [Packed];
  return packed;
}

function digest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
