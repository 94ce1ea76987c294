import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ensurePackages, missingPackages } from "../../tools/packages.mjs";

const LOCK = {
  packages: {
    "": { version: "0.1.0" },
    "node_modules/got": { version: "14.0.0" },
    "node_modules/other-platform": { version: "1.0.0", optional: true },
  },
};
const INSTALLED = { packages: { "node_modules/got": { version: "14.0.0" } } };

describe("the packages of the lock file", () => {
  let root: string;
  let installs: number;
  let said: string[];

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "packages-"));
    installs = 0;
    said = [];
    writeFileSync(join(root, "package-lock.json"), JSON.stringify(LOCK));
  });

  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const ensure = () =>
    ensurePackages({
      root,
      log: (line) => said.push(line),
      install: async () => {
        installs += 1;
        mkdirSync(join(root, "node_modules"), { recursive: true });
        writeFileSync(join(root, "node_modules", ".package-lock.json"), JSON.stringify(INSTALLED));
      },
    });

  it("are installed on a fresh clone, with a line about it, and not touched again", async () => {
    await ensure();
    await ensure();
    expect(installs).toBe(1);
    expect(said).toEqual([
      "Installing packages (npm ci) …",
      expect.stringMatching(/^Packages installed in \d+ s\.$/),
    ]);
  });

  it("are missing if another version is in their place", () => {
    const older = { packages: { "node_modules/got": { version: "13.0.0" } } };
    expect(missingPackages(LOCK, older)).toEqual(["node_modules/got"]);
  });

  it("are not missing if only another platform needs them", () => {
    expect(missingPackages(LOCK, INSTALLED)).toEqual([]);
  });
});
