import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();

const imported = (...args: string[]) => importing(world, args).finished;
const inProject = (name: string) => join(world.project.folder, name);

/** The line that an import ends with. */
const lineIn = (stdout: string) => /Add this line to the program: (.*)\n$/.exec(stdout)?.[1] ?? "";

test("an account is imported in parts, no file is overwritten, and nothing in the stack is ever deleted", async () => {
  for (const at of [1, 2, 3]) world.service.insertWebsite({ domain: `site-${at}.example.com`, privacy: 1 });
  for (const name of ["GA", "Ads"]) world.service.insertPixel({ name, type: "bing" });
  await world.program("");
  world.service.clearRequests();

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
    "Nothing to import: the stack or the program has every matching record that can be imported.\nA preview shows no changes.",
  );
  expect(await readFile(inProject("tracking.js"), "utf8")).toBe(early);
  const held = Object.values(await world.resources());
  expect(held.map(({ protect }) => protect)).toEqual(Array(5).fill(true));

  for (const domain of ["late.example.com", "old.example.com"])
    world.service.insertWebsite({ domain, privacy: 1 });
  expect((await imported()).stdout).toContain("tracking-3.js: 2 declared.\n");
  await world.program(["", "-2", "-3"].map((at) => `require("../tracking${at}.js");\n`).join(""));
  const late = await imported("--apply", "--exclude", "old.*");
  expect(late).toMatchObject({ code: 0, stderr: "" });
  expect(late.stdout).toMatch(/^2 imported\. "pulumi preview" shows/m);

  // No file declares the pixels any more.
  await rm(inProject("tracking.js"));
  await world.program('require("../tracking-2.js");\nrequire("../tracking-3.js");\n');
  const lost = await imported("--apply");
  expect(lost.code).toBe(1);
  expect(lost.stderr).toMatch(/^error: The program does not declare what the stack holds/);
  for (const name of ["::ga", "::ads"]) expect(lost.stderr).toContain(name);
  expect(lost.stderr).not.toContain("example");
  await world.fail(["up", "--yes", "--skip-preview"]);
  const [, option = ""] =
    /with the option (retainOnDelete: true) and run "pulumi up", then remove it/.exec(lost.stderr) ?? [];
  const files = 'require("../tracking-2.js");\nrequire("../tracking-3.js");\n';
  await world.project.write("tracking.js", early.replaceAll("\n});", `\n}, { ${option} });`));
  await world.program(`require("../tracking.js");\n${files}`);
  await world.up();
  await world.program(files);
  await world.up();
  await world.expectNoDiff();
  expect(Object.keys(await world.resources())).toHaveLength(5);
  expect(world.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  expect(world.service.websites()).toHaveLength(5);
});
