import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json";
import { start } from "../../tools/child.mjs";
import { ROOT } from "../../tools/root.mjs";
import { executable } from "./engine/engines.js";

/** What `npm run` starts, and what else may be the first command on a fresh clone. */
const entries = [
  ...new Set(
    Object.values(manifest.scripts).flatMap((script) => /^node (\S+\.mjs)$/.exec(script)?.slice(1) ?? []),
  ),
  "tools/engine/setup.mjs",
].sort();

describe("on a fresh clone, where no package can be resolved,", () => {
  let clone: string;
  beforeAll(async () => {
    clone = await mkdtemp(join(tmpdir(), "pulumi-tracking-clone-"));
    for (const name of ["tools", "bench", "package.json", "package-lock.json"])
      await cp(join(ROOT, name), join(clone, name), { recursive: true });
    executable(join(clone, "bin"), "npm", '#!/bin/sh\necho "This is npm $1."\nexit 9\n');
  });
  afterAll(() => rm(clone, { recursive: true, force: true }));

  const node = (entry: string, ...args: string[]) => {
    // A package manager that was started in another folder wants the package.
    const PATH = [join(clone, "bin"), process.env.PATH].join(delimiter);
    const env = { ...process.env, INIT_CWD: tmpdir(), PATH };
    return start(process.execPath, [join(clone, entry), ...args], { cwd: clone, env }).finished;
  };

  it("there are the README's two commands, and others", () => {
    expect(entries).toEqual(expect.arrayContaining(["tools/demo.mjs", "tools/test.mjs"]));
    expect(entries.length).toBeGreaterThanOrEqual(7);
  });

  it.each(entries)("%s prints its usage", async (entry) => {
    const { code, stdout, stderr } = await node(entry, "--help");
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^(npm (test|run \w+)|node \S+).*\n\n[A-Z]/);
    expect(code).toBe(0);
  });

  it.each(entries)("%s installs the packages before it does anything else", async (entry) => {
    const { code, stdout, stderr } = await node(entry);
    expect(stdout).toMatch(/^Installing packages \(npm ci\) …\nThis is npm ci\.\n/);
    expect(stderr).toBe("npm ci failed (exit code 9); what it printed above says why.\n");
    expect(code).toBe(1);
  });
});
