import { spawn } from "node:child_process";
import { once } from "node:events";
import { watch } from "node:fs";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { run, start } from "../../../tools/child.mjs";
import { bundlePlugin } from "../../../tools/plugin/bundle.mjs";
import { writeArchives } from "../../../tools/plugin/release.mjs";

async function folder(): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), "pulumi-tracking-archive-"));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  return place;
}

it("is written under the engine's name with the same bytes each time, and for macOS is a script that misses Node.js in one line", async () => {
  const [first, second] = [await folder(), await folder()];
  const made = await folder();
  const plugin = join(made, "plugin.js");
  await writeFile(join(made, "LICENSES-of-packages"), "zod 4: MIT");
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
  expect(await readFile(join(first, "LICENSES-of-packages"), "utf8")).toBe("zod 4: MIT");
  const guide = await readFile("docs/guide.md", "utf8");
  expect(await readFile(join(first, "docs", "guide.md"), "utf8")).toBe(guide);
  const started = join(first, "pulumi-resource-tracking");
  expect((await stat(started)).mode & 0o777).toBe(0o755);
  expect((await run(started, ["a b", "c"])).stdout).toBe("[ 'a b', 'c' ]\n");
  const without = await start(started, [], { env: { PATH: first } }).finished;
  expect([without.code, without.stdout]).toEqual([1, ""]);
  expect(without.stderr).toContain("Node.js");
  expect(without.stderr.trim().split("\n")).toHaveLength(1);
});

it("is under its name only when it is whole, so that a run which is killed leaves no cut archive", async () => {
  const [target, made] = [await folder(), await folder()];
  const plugin = join(made, "plugin.js");
  await writeFile(join(made, "LICENSES-of-packages"), "zod 4: MIT");
  await writeFile(plugin, "#!/usr/bin/env node\n");
  const seen = new Set<string>();
  const watcher = watch(target, (_event, name) => void seen.add(`${name}`));
  onTestFinished(() => watcher.close());
  const [name = ""] = await writeArchives(target, plugin, ["darwin-arm64"]);
  await expect.poll(() => seen.has(name)).toBe(true);
  // Killed before, only a file under another name would be there.
  expect(seen.size).toBeGreaterThan(1);
  expect(await readdir(target)).toEqual([name]);
});

it("is made for the systems that the command names, which it lists to who names another", async () => {
  const making = run(process.execPath, ["tools/plugin/release.mjs", await folder(), "linux"]);
  await expect(making).rejects.toThrow("FOLDER [SYSTEM …], of linux-amd64, linux-arm64,");
});

it("is the command line too, whose messages name it as people without npm start it, and says in one line which Node.js a script needs", async () => {
  const place = await folder();
  const file = join(place, "plugin.js");
  await bundlePlugin(file, { isWhole: true });
  const env = { ...process.env, PULUMI_HOME: place };
  const at = { cwd: place, env };
  const { version } = JSON.parse(await readFile("package.json", "utf8"));
  expect((await run(process.execPath, [file, "--version"], at)).stdout.trim()).toBe(version);
  const doctor = await start(process.execPath, [file, "doctor", "--json"], at).finished;
  expect(JSON.parse(doctor.stdout)).toMatchObject({ version, findings: [{ code: "no-stack" }] });
  const help = await run(process.execPath, [file, "doctor", "--help"], at);
  expect(help.stdout).toContain("  pulumi plugin run --kind resource tracking -- doctor --stack prod");
  const code = await readFile(file, "utf8");
  expect(code).not.toMatch(/npx pulumi-tracking|node_modules\/pulumi-tracking\/docs/);
  for (const [HOME, guide] of [
    [dirname(place), `~/${basename(place)}/docs/guide.md`],
    ["/nowhere", join(place, "docs", "guide.md")],
  ] as const) {
    const { stdout } = await run(process.execPath, [file, "--help"], { cwd: place, env: { ...env, HOME } });
    expect(stdout).toContain(`The guide is ${guide}.`);
  }
  const licences = await readFile(join(place, "LICENSES-of-packages"), "utf8");
  for (const [name, owner] of [
    ["zod", "Colin McDonnell"],
    ["got", "Sindre Sorhus"],
    ["@grpc/grpc-js", "Apache"],
  ] as const)
    expect(licences).toMatch(new RegExp(`^${name} [\\d.]+ \\([^]*?${owner}`, "m"));
  // All of `@pulumi/pulumi` would bring it, three quarters of the file, and each command would take three times as long to start.
  expect(licences).not.toMatch(/^typescript /m);

  // As `pulumi plugin run` starts it: Ctrl-C only ends the input.
  const emulator = spawn(process.execPath, [file, "emulator"], {
    env: { ...env, PULUMI_RPC_TARGET: "127.0.0.1:1" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void emulator.kill());
  await once(emulator.stdout, "data");
  emulator.stdin.end();
  expect(await once(emulator, "close")).toEqual([0, null]);

  const ofNpm = join(place, "of-npm.js");
  await bundlePlugin(ofNpm);
  const alone = await start(process.execPath, [ofNpm, "doctor"], at).finished;
  expect(alone).toMatchObject({ code: 1, stdout: "" });
  expect(alone.stderr).toMatch(/^This copy of the plugin has no command line: run npx pulumi-tracking .*\n$/);

  await writeFile(
    join(place, "old.cjs"),
    'Object.defineProperty(process, "versions", { value: { node: "16.20.2" } });',
  );
  for (const args of [["127.0.0.1:1"], ["doctor"]]) {
    const old = await start(process.execPath, ["--require", "./old.cjs", file, ...args], at).finished;
    expect([old.code, old.stdout]).toEqual([1, ""]);
    expect(old.stderr).toMatch(/^The plugin \S+ needs Node\.js 22\.12 or newer, and this is v\S+\.\n$/);
  }
});
