import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useHarness } from "./harness";
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
  const [, option = ""] =
    /with the option (retainOnDelete: true) and run "pulumi up", then remove it/.exec(lost.stderr) ?? [];
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
