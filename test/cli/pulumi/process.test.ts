import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runPulumi } from "../../../cli/pulumi/process";

/** A folder with a `pulumi` of this script, the only one on PATH beside the system's commands. */
function pulumi(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), "pulumi-process-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "pulumi"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv("PATH", `${folder}:/usr/bin:/bin`);
  vi.stubEnv("OWN", "of this process");
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

describe.skipIf(process.platform === "win32")("the user's pulumi", () => {
  const script = 'echo "$# $1 $2 $OWN $MORE"; echo odd >&2; exit 3';

  test("gets the arguments and both environments, and its streams and its code come back apart", async () => {
    pulumi(script);
    expect(await runPulumi(["first", "second"], { env: { MORE: "and more" } })).toEqual({
      code: 3,
      stdout: "2 first second of this process and more\n",
      stderr: "odd\n",
    });
  });

  test("that is not on PATH is missed with the way to it", async () => {
    vi.stubEnv("PATH", join(pulumi(script), "elsewhere"));
    await expect(runPulumi(["version"])).rejects.toMatchObject({
      problem: 'There is no "pulumi" command on PATH',
      remedy: expect.stringContaining("Install it"),
    });
  });

  test("prints both streams to a file that only this user can read, if one is named", async () => {
    const outputFile = join(pulumi(script), "output");
    const { code, stdout, stderr } = await runPulumi(["first", "second"], { outputFile });
    expect([code, stdout, stderr]).toEqual([3, "2 first second of this process \nodd\n", ""]);
    expect(readFileSync(outputFile, "utf8")).toBe(stdout);
  });
});
