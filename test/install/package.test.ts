import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { run } from "../../tools/child.mjs";
import { LICENCES } from "../../tools/plugin/bundle.mjs";
import { scratch } from "./clone";

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
    // The licences are those of the packages in the plugin.
    const licences = await readFile(join(unpacked, "dist", "plugin", LICENCES));
    const ofPlugin = gzipSync(plugin).length + gzipSync(licences).length;
    expect(bytes.length - ofPlugin).toBeLessThanOrEqual(160_000);
    expect((await files(unpacked)).length).toBeLessThanOrEqual(60);
    expect((await readdir(unpacked)).sort()).toEqual([
      "LICENSE",
      "README.md",
      "dist",
      "docs",
      "package.json",
    ]);
    const pages = ["guide.md", "limits.md", "other-languages.md"];
    expect((await readdir(join(unpacked, "docs"))).sort()).toEqual(pages);
  });

  it("has no script of which npm warns those who install it", async () => {
    const manifest = JSON.parse(await readFile(join(unpacked, "package.json"), "utf8"));
    expect(manifest).toMatchObject({ name: "pulumi-tracking", main: "./dist/sdk/index.js" });
    expect(Object.keys(manifest.scripts).filter((name) => /install|prepare/.test(name))).toEqual([
      "test:install",
    ]);
  });
});

async function files(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}
