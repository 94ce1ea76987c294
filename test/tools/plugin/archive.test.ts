import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { run, start } from "../../../tools/child.mjs";
import { writeArchives } from "../../../tools/plugin/release.mjs";

async function folder(): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), "pulumi-tracking-archive-"));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  return place;
}

it("is written under the engine's name with the same bytes each time, and for macOS is a script that misses Node.js in one line", async () => {
  const [first, second] = [await folder(), await folder()];
  const plugin = join(await folder(), "plugin.js");
  await writeFile(
    plugin,
    "#!/usr/bin/env node\nserve();\nfunction serve() { console.log(process.argv.slice(2)); }\n",
  );
  const systems = ["darwin-amd64", "darwin-arm64"];
  const names = await writeArchives(first, plugin, systems);
  expect(await writeArchives(second, plugin, systems)).toEqual(names);
  const { version } = JSON.parse(await readFile("package.json", "utf8"));
  expect(names).toEqual(systems.map((each) => `pulumi-resource-tracking-v${version}-${each}.tar.gz`));
  for (const name of names)
    expect((await readFile(join(second, name))).equals(await readFile(join(first, name))), name).toBe(true);

  await run("tar", ["-xzf", join(first, names[0] ?? ""), "-C", first]);
  const started = join(first, "pulumi-resource-tracking");
  expect((await stat(started)).mode & 0o777).toBe(0o755);
  expect((await run(started, ["a b", "c"])).stdout).toBe("[ 'a b', 'c' ]\n");
  const without = await start(started, [], { env: { PATH: first } }).finished;
  expect([without.code, without.stdout]).toEqual([1, ""]);
  expect(without.stderr).toContain("Node.js");
  expect(without.stderr.trim().split("\n")).toHaveLength(1);
});

it("is made for the systems that the command names, which it lists to who names another", async () => {
  const making = run(process.execPath, ["tools/plugin/release.mjs", await folder(), "linux"]);
  await expect(making).rejects.toThrow("FOLDER [SYSTEM …], of linux-amd64, linux-arm64,");
});
