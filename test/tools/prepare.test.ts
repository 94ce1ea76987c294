import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isWantedElsewhere } from "../../tools/prepare.mjs";

describe("sources that a package manager finds are built", () => {
  let clone: string;
  beforeEach(async () => {
    clone = await mkdtemp(join(tmpdir(), "pulumi-tracking-clone-"));
  });
  afterEach(() => rm(clone, { recursive: true, force: true }));

  const isBuilt = (startedIn?: string) => isWantedElsewhere({ INIT_CWD: startedIn }, join(clone, "/"));

  it("for an installation from another folder", () => {
    expect(isBuilt(tmpdir())).toBe(true);
  });

  it("for an example in the repository", () => {
    expect(isBuilt(join(clone, "examples", "quickstart"))).toBe(true);
  });

  it("but not where npm ci sets up the repository itself", () => {
    expect(isBuilt(clone)).toBe(false);
    expect(isBuilt(undefined)).toBe(false);
  });

  it("and only once", async () => {
    await mkdir(join(clone, "dist"));
    expect(isBuilt(tmpdir())).toBe(false);
  });
});
