import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
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

it("is written for every system and architecture, with the same bytes each time", async () => {
  const [first, second] = [await folder(), await folder()];
  const plugin = join(await folder(), "plugin.js");
  await writeFile(
    plugin,
    "#!/usr/bin/env node\nserve();\nfunction serve() { console.log(process.argv.slice(2)); }\n",
  );
  const names = await writeArchives(first, plugin);
  expect(await writeArchives(second, plugin)).toEqual(names);
  const { version } = JSON.parse(await readFile("package.json", "utf8"));
  expect([...names].sort()).toEqual(
    ["darwin", "linux", "windows"].flatMap((system) =>
      ["amd64", "arm64"].map((each) => `pulumi-resource-tracking-v${version}-${system}-${each}.tar.gz`),
    ),
  );
  for (const name of names)
    expect((await readFile(join(second, name))).equals(await readFile(join(first, name))), name).toBe(true);

  const unpacked = join(first, "unpacked");
  await mkdir(unpacked);
  const [windows = ""] = names.filter((each) => each.includes("windows-arm64"));
  for (const name of [names[0] ?? "", windows]) await run("tar", ["-xzf", join(first, name), "-C", unpacked]);
  expect((await readdir(unpacked)).sort()).toEqual([
    "pulumi-resource-tracking",
    "pulumi-resource-tracking.cmd",
    "pulumi-resource-tracking.js",
  ]);
  const [program, launched] = await Promise.all(
    ["pulumi-resource-tracking", "pulumi-resource-tracking.js"].map((name) =>
      readFile(join(unpacked, name), "utf8"),
    ),
  );
  expect((await stat(join(unpacked, "pulumi-resource-tracking"))).mode & 0o777).toBe(0o755);
  expect(launched).toBe(await readFile(plugin, "utf8"));
  expect(program).toContain("\nserve();\n");
  expect(await readFile(join(unpacked, "pulumi-resource-tracking.cmd"), "utf8")).toContain("%~dp0");

  const started = join(unpacked, "pulumi-resource-tracking");
  expect((await run(started, ["a b", "c"])).stdout).toBe("[ 'a b', 'c' ]\n");
  const without = await start(started, [], { env: { PATH: unpacked } }).finished;
  expect([without.code, without.stdout]).toEqual([1, ""]);
  expect(without.stderr).toContain("Node.js");
  expect(without.stderr.trim().split("\n")).toHaveLength(1);
});
