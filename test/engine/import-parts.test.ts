import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { declare, KEY, useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();

const imported = (...args: string[]) => importing(world, args).finished;

/** `test/cli/import` has what a second import does; here, the commands and edits that the messages name are followed. */
test("an account is imported in two parts, each by its own command, and let go again, and nothing is ever deleted", async () => {
  for (const at of [1, 2, 3]) world.service.insertWebsite({ domain: `site-${at}.example.com`, privacy: 1 });
  for (const name of ["GA", "Ads"]) world.service.insertPixel({ name, type: "bing" });
  await world.program("");
  world.service.clearRequests();

  const dry = await imported("--only", "pixels");
  expect(dry).toMatchObject({ code: 0, stderr: "" });
  const [, command = ""] = /To import, run: pulumi (.*)\n/.exec(dry.stdout) ?? [];
  expect(command).toBe("import --file tracking-import.json --generate-code=false");
  await world.run([...command.split(" "), "--yes"]);

  expect(await imported("--apply")).toMatchObject({ code: 0, stderr: "" });
  // No file declares the pixels.
  const websites = 'require("../tracking-2.js");\n';
  await world.program(websites);
  const lost = await imported("--apply");
  expect(lost.code).toBe(1);
  expect(lost.stderr).toMatch(/^error: The program does not declare what the stack holds/);
  for (const name of ["::ga", "::ads"]) expect(lost.stderr).toContain(name);
  expect(lost.stderr).not.toContain("example");
  await world.fail(["up", "--yes", "--skip-preview"]);
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
  await world.expectNoDiff();
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
  const held = async () => Object.keys(await world.resources()).sort();
  await imported("--only", "pixels", "--match", "Pixel 1", "--apply");
  expect(await held()).toEqual(["pixel-1"]);
  await imported("--exclude", "site-1.*", "--exclude", "Pixel *", "--apply");
  expect(await held()).toEqual(["pixel-1", "site-2"]);
});
