import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { declare, useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();

const imported = (...args: string[]) => importing(world, args).finished;
const inProject = (name: string) => join(world.project.folder, name);

/** The line that an import ends with. */
const lineIn = (stdout: string) => /Add this line to the program: (.*)\n$/.exec(stdout)?.[1] ?? "";

async function expectNothingWritten(websites: number): Promise<void> {
  expect((await world.service.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await world.service.websites()).toHaveLength(websites);
}

test("an account is imported in parts, no file is overwritten, and nothing in the stack is ever deleted", async () => {
  for (const at of [1, 2, 3])
    await world.service.insertWebsite({ domain: `site-${at}.example.com`, privacy: 1 });
  for (const name of ["GA", "Ads"]) await world.service.insertPixel({ name, type: "bing" });
  await world.program("");
  await world.service.clearRequests();

  const pixels = await imported("--only", "pixels", "--apply");
  expect(pixels).toMatchObject({ code: 0, stderr: "" });
  expect(lineIn(pixels.stdout)).toBe('require("../tracking.js");');
  await world.program(lineIn(pixels.stdout));
  const early = await readFile(inProject("tracking.js"), "utf8");

  const dry = await imported();
  expect(dry).toMatchObject({ code: 0, stderr: "" });
  expect(dry.stdout).toContain("tracking-2.js: 3 declared.\n");
  const [, command = ""] = /To import, run: pulumi (.*)\n/.exec(dry.stdout) ?? [];
  expect(command).toBe("import --file tracking-import.json --generate-code=false");
  await world.run([...command.split(" "), "--yes"]);
  await world.program('require("../tracking.js");\nrequire("../tracking-2.js");\n');
  const rest = await imported("--apply");
  expect(rest).toMatchObject({ code: 0, stderr: "" });
  expect(rest.stdout).toContain(
    "Nothing to import: the stack has every matching record that can be imported.\nA preview shows no changes.",
  );
  expect(await readFile(inProject("tracking.js"), "utf8")).toBe(early);
  const held = Object.values(await world.resources());
  expect(held.map(({ protect }) => protect)).toEqual(Array(5).fill(true));

  for (const domain of ["late.example.com", "old.example.com"])
    await world.service.insertWebsite({ domain, privacy: 1 });
  expect((await imported()).stdout).toContain("tracking-3.js: 2 declared.\n");
  await world.program(["", "-2", "-3"].map((at) => `require("../tracking${at}.js");\n`).join(""));
  const late = await imported("--apply", "--exclude", "old.*");
  expect(late).toMatchObject({ code: 0, stderr: "" });
  expect(late.stdout).toContain("tracking-4.js: 1 declared.\n");
  expect(late.stdout).toContain("A preview shows changes to 1");
  expect((await imported("--declared", "--apply")).stdout).toMatch(/^1 imported\. "pulumi preview" shows/m);

  // No file declares the pixels any more.
  await rm(inProject("tracking.js"));
  await world.program('require("../tracking-2.js");\nrequire("../tracking-3.js");\n');
  const lost = await imported("--apply");
  expect(lost.code).toBe(1);
  expect(lost.stderr).toMatch(/^error: The program does not declare what the stack holds/);
  for (const name of ["::ga", "::ads"]) expect(lost.stderr).toContain(name);
  expect(lost.stderr).not.toContain("example");
  await world.fail(["up", "--yes", "--skip-preview"]);
  const [, remove = ""] = /run "pulumi (state delete --force) URN" .*for each/.exec(lost.stderr) ?? [];
  await world.run([...remove.split(" "), "--yes", (await world.resource("ga")).urn]);
  expect(Object.keys(await world.resources())).toHaveLength(6);
  await expectNothingWritten(5);
});

test("a program of ES modules takes the line that is named, and one that fails by itself is named with its cause", async () => {
  await world.service.insertWebsite({ domain: "a.example.com", privacy: 1 });
  await world.project.write("program/package.json", '{"type":"module"}');
  onTestFinished(async () => {
    await rm(inProject("program/package.json"));
    await world.program("");
  });
  await world.project.write("program/index.js", 'throw new Error("the program is at odds");\n');
  const failed = await imported("--apply", "--out", join("program", "tracking.js"));
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain("the program is at odds");
  expect(failed.stderr.trimEnd()).not.toContain("\n");
  const [, line = ""] = /add this line to the program: (.*)\n$/.exec(failed.stdout) ?? [];
  expect(line).toBe('import "./tracking.js";');
  await world.project.write("program/index.js", `${line}\n`);
  await world.expectNoChange();
});

test("beside another run nothing is imported, and no lock is taken from it", async () => {
  const lock = join(world.project.backend, ".pulumi", "locks", "organization", "fresh", "dev", "other.json");
  await world.service.insertWebsite({ domain: "a.example.com" });
  await world.program(declare("Website", "a", { domain: "a.example.com" }));
  await mkdir(dirname(lock), { recursive: true });
  await writeFile(
    lock,
    JSON.stringify({ pid: 1, username: "other", hostname: "there", timestamp: "2026-01-01T00:00:00Z" }),
  );
  onTestFinished(() => rm(lock, { force: true }));
  const { code, stderr } = await imported("--declared", "--apply");
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^error: pulumi import --file failed: the stack is currently locked .*created by other@there \(pid 1\)/,
    ),
  });
  expect(existsSync(lock)).toBe(true);
  expect(await world.resources()).toEqual({});
});

test.each([
  {
    says: "a stack that does not exist",
    args: ["--apply", "--stack", "nowhere"],
    env: {},
    line: `pulumi config --json failed: no stack named 'nowhere' found. Fix that, and run this again.`,
  },
  {
    says: "no pulumi",
    args: ["--apply"],
    env: { PATH: "/nowhere", HOME: "/nowhere" },
    line: 'There is no "pulumi" command on PATH. Install it from https://www.pulumi.com/docs/install, or add it to PATH.',
  },
])("with $says the command names the way out, in one line", async ({ args, env, line }) => {
  const { code, stdout, stderr } = await importing(world, args, { env }).finished;
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: `error: ${line}\n` });
});
