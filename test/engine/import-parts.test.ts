import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { declare, useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();

const imported = (...args: string[]) => importing(world, args).finished;
const inProject = (name: string) => join(world.project.folder, name);

/** The line to add to the program. */
const lineIn = (printed: string) => /Add this line to the program: (.*)\n/.exec(printed)?.[1] ?? "";

test("an account is imported in parts, only under names that the program declares, and nothing is overwritten or deleted", async () => {
  for (const at of [1, 2, 3])
    await world.service.insertWebsite({
      domain: `site-${at}.example.com`,
      privacy: 1,
      email: 0,
      exclude_bots: 1,
    });
  for (const name of ["GA", "Ads"]) await world.service.insertPixel({ name, type: "bing" });
  const mine = declare("Website", "mine", { domain: "site-1.example.com" });
  await world.program(mine);
  await world.service.clearRequests();

  const first = await imported("--apply");
  expect(first, first.stdout).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toContain("1 imported.");
  expect(Object.keys(await world.resources())).toEqual(["mine"]);
  const early = await readFile(inProject("tracking.js"), "utf8");
  expect(early.match(/site-\d|"GA"|"Ads"/g)?.sort()).toEqual([
    '"Ads"',
    '"GA"',
    "site-2",
    "site-2",
    "site-3",
    "site-3",
  ]);
  expect(lineIn(first.stdout)).toBe('require("../tracking.js");');
  await world.program(`${mine}${lineIn(first.stdout)}\n`);
  expect(await imported("--declared", "--apply")).toMatchObject({ code: 0, stderr: "" });
  await world.expectNoDiff();
  const rest = await imported("--apply");
  expect(rest).toMatchObject({ code: 0, stderr: "" });
  expect(rest.stdout).toContain("Nothing is left to import");
  expect(await readFile(inProject("tracking.js"), "utf8")).toBe(early);
  const held = Object.values(await world.resources());
  expect(held.map(({ protect }) => protect)).toEqual(Array(5).fill(true));

  for (const domain of ["late.example.com", "old.example.com"])
    await world.service.insertWebsite({ domain, privacy: 1 });
  const late = await imported("--apply", "--exclude", "old.*");
  expect(late.stdout).toContain("tracking-2.js: 1 declared.\n");
  const files = 'require("../tracking-2.js");\n';
  await world.program(`${mine}require("../tracking.js");\n${files}`);
  expect((await imported("--declared", "--apply")).stdout).toMatch(/^1 imported\. "pulumi preview" shows/m);

  // No line loads the first file any more.
  await world.program(mine + files);
  const lost = await imported("--apply");
  expect(lost.code).toBe(1);
  expect(lost.stderr).toMatch(/^error: The program does not declare what the stack holds/);
  for (const name of ["::ga", "::ads", "::site-2", "::site-3"]) expect(lost.stderr).toContain(name);
  expect(lost.stderr).not.toMatch(/::(mine|late)/);
  await world.fail(["up", "--yes", "--skip-preview"]);
  const [, option = ""] =
    /with the option (retainOnDelete: true) and run "pulumi up", then remove it/.exec(lost.stderr) ?? [];
  await world.project.write("tracking.js", early.replaceAll("\n});", `\n}, { ${option} });`));
  await world.program(`${mine}require("../tracking.js");\n${files}`);
  await world.up();
  await world.program(mine + files);
  await world.up();
  await world.expectNoDiff();
  expect(Object.keys(await world.resources())).toHaveLength(2);
  expect((await world.service.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
  expect([(await world.service.websites()).length, (await world.service.pixels()).length]).toEqual([5, 2]);
});
