import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ensureEngine } from "../../../tools/engine/setup.mjs";
import { ENGINE_VERSION } from "../../../tools/engine/version.mjs";
import { executable, fakeEngine } from "./engines.js";

const COMPLETE = ["pulumi", "pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

describe("setting up the engine", () => {
  let root: string;
  let home: string;
  let said: string[];

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "engine-"));
    home = join(root, "home");
    said = [];
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const kept = (version: string) => join(home, "versions", version, "bin");

  const set = (path: string[] = [], sources: Parameters<typeof ensureEngine>[0] = {}) =>
    ensureEngine({
      environment: { PATH: path.join(delimiter), PULUMI_HOME: home },
      log: (line) => said.push(line),
      sources: [],
      ...sources,
    });

  it("prefers a complete and new enough pulumi on PATH to one kept from earlier", async () => {
    const bin = fakeEngine(join(root, "path"), "3.300.0", COMPLETE);
    fakeEngine(kept("3.400.0"), "3.400.0");
    expect(await set([bin])).toMatchObject({ bin, version: "3.300.0" });
  });

  it.each([
    ["is too old", "3.253.0", COMPLETE],
    ["has no language host", "3.300.0", ["pulumi", "pulumi-resource-pulumi-nodejs"]],
    ["has no launcher for dynamic providers", "3.300.0", ["pulumi", "pulumi-language-nodejs"]],
  ])("passes over a pulumi on PATH that %s", async (_, version, names) => {
    const bin = fakeEngine(join(root, "path"), version, names);
    fakeEngine(kept("3.258.0"), "3.258.0");
    expect(await set([bin])).toMatchObject({ bin: kept("3.258.0") });
  });

  it("takes the newest engine kept that is complete and starts", async () => {
    fakeEngine(kept("3.99.0"), "3.99.0");
    fakeEngine(kept("3.254.0"), "3.254.0");
    fakeEngine(kept("3.258.0"), "3.258.0");
    fakeEngine(kept("3.260.0"), "3.260.0", ["pulumi"]);
    fakeEngine(kept("3.261.0"), "3.261.0", ["pulumi-language-nodejs"]);
    executable(kept("3.261.0"), "pulumi", "#!/bin/sh\nexit 126\n");
    expect(await set()).toMatchObject({ bin: kept("3.258.0"), version: "3.258.0" });
  });

  it("gives a kept engine the launcher for dynamic providers, runnable", async () => {
    fakeEngine(kept("3.258.0"), "3.258.0");
    const { bin } = await set();
    expect(statSync(join(bin, "pulumi-resource-pulumi-nodejs")).mode & 0o111).toBe(0o111);
  });

  it("tries one source after the other, says why, and keeps what it got", async () => {
    const blocked = { title: "a blocked way", fill: () => Promise.reject(new Error("no network")) };
    const engine = await set([], { sources: [blocked, sourceOf(ENGINE_VERSION)] });
    expect(engine).toMatchObject({ bin: kept(ENGINE_VERSION), version: ENGINE_VERSION });
    expect(said.join("\n")).toMatch(/a blocked way …\n.*no network\n.*a fake …\n.*ready in/);
    expect(await set()).toMatchObject({ bin: kept(ENGINE_VERSION) });
  });

  it("leaves nothing of an attempt that fails halfway", async () => {
    const interrupted = {
      title: "a broken way",
      fill: async (_: string, aside: string) => {
        fakeEngine(join(aside, "bin"), "3.258.0", ["pulumi"]);
        throw new Error("disk full");
      },
    };
    await expect(set([], { sources: [interrupted] })).rejects.toThrow(
      /with a broken way: disk full[\s\S]*Install Pulumi 3\.254\.0/,
    );
    expect(readdirSync(join(home, "versions"))).toEqual([]);
  });

  it("can run twice at once", async () => {
    const sources = [sourceOf(ENGINE_VERSION)];
    const [first, second] = await Promise.all([set([], { sources }), set([], { sources })]);
    expect(first.bin).toBe(second.bin);
    expect(existsSync(join(first.bin, "pulumi"))).toBe(true);
    expect(readdirSync(join(home, "versions"))).toEqual([ENGINE_VERSION]);
  });

  function sourceOf(version: string) {
    return {
      title: "a fake",
      fill: async (_: string, aside: string) => {
        fakeEngine(join(aside, "bin"), version);
      },
    };
  }
});
