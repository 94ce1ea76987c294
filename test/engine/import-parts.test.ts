import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { declare, KEY, useHarness } from "./harness";
import { importing } from "./importing";
import { policyPack } from "./policy-pack";

const world = useHarness();

const imported = (...args: string[]) => importing(world, args).finished;

/** In a project that refreshes at each preview and `up`. `test/cli/import` has what a second import does; here, the commands and edits that the messages name are followed. */
test("an account is imported in two parts, each by its own command, and let go again, and nothing is ever deleted", async () => {
  for (const at of [1, 2, 3]) world.service.insertWebsite({ domain: `site-${at}.example.com`, privacy: 1 });
  for (const name of ["GA", "Ads"]) world.service.insertPixel({ name, type: "bing" });
  await world.program("");
  const settings = await readFile(join(world.project.folder, "Pulumi.yaml"), "utf8");
  await world.project.write("Pulumi.yaml", `${settings}options: { refresh: always }\n`);
  world.service.clearRequests();

  // Only what the program declares gets into the stack: the pixels first, and then the websites.
  const [pixelLine, websiteLine] = ["tracking", "tracking-2"].map((name) => `require("../${name}.js");\n`);
  for (const [args, program] of [
    [["--only", "pixels"], pixelLine],
    [[], `${pixelLine}${websiteLine}`],
  ] as const) {
    const written = await imported(...args);
    expect(written).toMatchObject({ code: 0, stderr: "" });
    expect(written.stdout).toContain(
      `add the line ${program?.trim().split("\n").at(-1)} to program/index.js`,
    );
    const [, command = ""] =
      /\nTo import, run: npx pulumi-tracking import (.*)\n$/.exec(written.stdout) ?? [];
    // Nobody has added the line yet.
    expect(await imported(...command.split(" "))).toMatchObject({ code: 1 });
    await world.program(program ?? "");
    expect(await imported(...command.split(" "))).toMatchObject({ code: 0, stderr: "" });
  }
  expect(Object.keys(await world.resources())).toHaveLength(5);

  // No file declares the pixels.
  const websites = websiteLine ?? "";
  await world.program(websites);
  const lost = await imported("--apply");
  expect(lost.code).toBe(1);
  expect(lost.stderr).toMatch(/^error: The program does not declare what the stack holds/);
  for (const name of ["::ga", "::ads"]) expect(lost.stderr).toContain(name);
  expect(lost.stderr).not.toContain("example");
  await world.project.write("Pulumi.yaml", settings);
  // As the section says that the message names.
  expect(lost.stderr).toContain('choose what becomes of it: "Removing a website" in ');
  const guide = await readFile("docs/guide.md", "utf8");
  const [, option = ""] = /do the same with\s`\{ (retainOnDelete: true) \}`/.exec(guide) ?? [];
  const pixels = await readFile(join(world.project.folder, "tracking.js"), "utf8");
  await world.project.write("tracking.js", pixels.replaceAll("\n});", `\n}, { ${option} });`));
  await world.program(`require("../tracking.js");\n${websites}`);
  await world.up();
  await world.program(websites);
  await world.up();
  expect(Object.keys(await world.resources())).toHaveLength(3);
  expect(world.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  expect(world.service.pixels()).toHaveLength(2);
});

test("with the address of another account an import takes nothing and writes no file, whatever its ids, and with the right one it goes on", async () => {
  const names = ["a", "b", "c"];
  const program = names
    .map((name) => declare("Website", name, { domain: `${name}.example.com` }, { protect: false }))
    .join("");
  await world.program(program);
  await world.up();
  const before = await world.kept();
  const theirs = await world.anotherService();
  await world.configureHere({ url: theirs.url, key: KEY });
  await world.program(`${program}${declare("Website", "d", { domain: "d.example.com" })}`);
  const files = () => readdir(world.project.folder);
  const folder = await files();
  for (const first of [1, 901]) {
    theirs.seed({
      websites: ["d", "e", "f"].map((name, at) => ({ id: first + at, domain: `${name}.example.com` })),
    });
    for (const args of [[], ["--apply"], ["--declared"], ["--declared", "--apply"]]) {
      const { code, stderr } = await imported(...args);
      expect({ code, stderr }, args.join(" ")).toEqual({
        code: 1,
        stderr: expect.stringMatching(
          /^error: Nothing is imported: .*\nCheck .* and tracking:analyticsBaseUrl/,
        ),
      });
      expect([await world.kept(), await files()], args.join(" ")).toEqual([before, folder]);
    }
    expect(theirs.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  }

  await world.configure({ url: world.service.url, key: KEY });
  await world.program(program);
  world.service.insertWebsite({ domain: "g.example.com" });
  expect(await imported("--match", "g.*", "--out", "g.js")).toMatchObject({ code: 0, stderr: "" });
  await world.program(`${program}require("../g.js");\n`);
  expect(await imported("--match", "g.*", "--apply")).toMatchObject({ code: 0, stderr: "" });
  expect(Object.keys(await world.resources()).sort()).toEqual([...names, "g-example-com"]);
});

test("an import takes only what it selects, also of what the program declares", async () => {
  const pixel = (at: number) => ({ name: `Pixel ${at}`, type: "bing" as const, value: `B-${at}` });
  for (const at of [1, 2]) {
    world.service.insertWebsite({ domain: `site-${at}.example.com` });
    world.service.insertPixel(pixel(at));
  }
  await world.program(
    [1, 2]
      .flatMap((at) => [
        declare("Website", `site-${at}`, { domain: `site-${at}.example.com` }),
        declare("Pixel", `pixel-${at}`, pixel(at)),
      ])
      .join(""),
  );
  // A policy refuses one: the import says so in its words, and writes neither a file nor state.
  const refused = { argument: "domain", value: "site-1.example.com", message: "No numbers in domains." };
  const env = await policyPack(world, [{ name: "plain-domains", level: "mandatory", ...refused }]);
  const files = await readdir(world.project.folder);
  for (const args of [[], ["--apply"], ["--declared", "--apply"]])
    expect(await importing(world, args, { env }).finished).toMatchObject({
      code: 1,
      stderr: `error: A policy refuses the program, so "pulumi up" would fail:
  policy "plain-domains" of "company" on site-1: No numbers in domains
Change what it refuses, or ask whoever is responsible for the policy, and run this again.
`,
    });
  const held = async () => Object.keys(await world.resources()).sort();
  expect([await held(), await readdir(world.project.folder)]).toEqual([[], files]);

  await imported("--only", "pixels", "--match", "Pixel 1", "--apply");
  expect(await held()).toEqual(["pixel-1"]);
  await imported("--exclude", "site-1.*", "--exclude", "Pixel *", "--apply");
  expect(await held()).toEqual(["pixel-1", "site-2"]);
});
