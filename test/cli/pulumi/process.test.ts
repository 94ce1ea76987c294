import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { runPulumi, withTemporaryFolder } from "../../../cli/pulumi/process";
import { played } from "../played";

/** A folder with a `pulumi` of this script. */
function pulumi(script: string): string {
  vi.stubEnv("OWN", "of this process");
  return played({ "": script }).folder;
}

describe.skipIf(process.platform === "win32")("the user's pulumi", () => {
  const script = 'echo "$# $1 $2 $OWN $MORE $MINE"; echo odd >&2; exit 3';

  test("gets the arguments and both environments, and its streams and its code come back apart", async () => {
    pulumi(script);
    const env = { MORE: "and more", MINE: "of the call" };
    vi.stubEnv("MINE", "of this process");
    expect(await runPulumi(["first", "second"], { env })).toEqual({
      code: 3,
      stdout: "2 first second of this process and more of the call\n",
      stderr: "odd\n",
    });
  });

  test("is read to its end, in whole characters, however much it prints", async () => {
    pulumi("yes é | head -n 2000000");
    expect((await runPulumi(["preview"])).stdout === "é\n".repeat(2_000_000)).toBe(true);
  });

  test("gets a person's options only as far as they say where a stack is, and none that changes what it prints; a person's own command gets all", async () => {
    played({ "": "env | grep -oE '^PULUMI_[A-Z_]*(OPTION|STREAM)[A-Z_]*' | sort" });
    for (const name of ["OPTION_REFRESH", "OPTION_TARGET", "OPTION_PREVIEW_ONLY", "OPTION_STACK"])
      vi.stubEnv(`PULUMI_${name}`, "true");
    for (const name of ["ENABLE_STREAMING_JSON_PREVIEW", "OPTION_OUTPUT", "OPTION_POLICY_PACK"])
      vi.stubEnv(`PULUMI_${name}`, "true");
    const places = ["PULUMI_OPTION_POLICY_PACK", "PULUMI_OPTION_STACK"];
    expect((await runPulumi(["import"])).stdout.trim().split("\n")).toEqual(places);
    const own = (await runPulumi(["preview"], { keepsOptions: true })).stdout.trim().split("\n");
    const others = ["PREVIEW_ONLY", "REFRESH", "TARGET"].map((name) => `PULUMI_OPTION_${name}`);
    expect(own).toEqual([...places, ...others].sort());
  });

  test("that is not on PATH, or no program, is missed with the way to it", async () => {
    vi.stubEnv("PATH", join(pulumi(script), "elsewhere"));
    await expect(runPulumi(["version"])).rejects.toMatchObject({
      title: 'There is no "pulumi" command on PATH',
      advice: expect.stringContaining("Install it"),
    });
    const folder = pulumi(script);
    vi.stubEnv("PATH", folder);
    chmodSync(join(folder, "pulumi"), 0o600);
    await expect(runPulumi(["version"])).rejects.toMatchObject({
      title: "pulumi can't start: spawn pulumi EACCES",
      advice: expect.stringContaining("Install it"),
    });
  });

  test("that is killed has failed", async () => {
    pulumi("kill -9 $$");
    expect(await runPulumi(["up"])).toMatchObject({ code: 1 });
  });

  test("prints both streams to a file that only this user can read, if one is named", async () => {
    const outputFile = join(pulumi(script), "output");
    const { code, stdout, stderr } = await runPulumi(["first", "second"], { outputFile });
    expect([code, stdout, stderr]).toEqual([3, "2 first second of this process  \nodd\n", ""]);
    expect(readFileSync(outputFile, "utf8")).toBe(stdout);
    expect(statSync(outputFile).mode & 0o777).toBe(0o600);
  });
});

test("a folder for secrets is this user's alone, and goes with the work, however that ends", async () => {
  let place = "";
  const failing = withTemporaryFolder(async (folder) => {
    place = folder;
    expect(statSync(folder).mode & 0o077).toBe(0);
    throw new Error("it failed");
  });
  await expect(failing).rejects.toThrow("it failed");
  expect(existsSync(place)).toBe(false);
});
