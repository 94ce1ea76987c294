import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { declare, type Harness, tokenOf, useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();

/** Runs an import, and returns its outcome and the requests that changed something meanwhile. */
async function imported(...args: string[]) {
  const { code, stdout, stderr } = await importing(world, args).finished;
  return { code, stdout, stderr };
}

/** A file in the project's folder, removed after the test. */
function file(name: string): string {
  const path = join(world.project.folder, name);
  onTestFinished(() => rm(path, { force: true }));
  return path;
}

async function expectNothingWritten({ service }: Harness, websites: number, pixels: number): Promise<void> {
  expect((await service.requests()).filter(({ method }) => method !== "GET")).toEqual([]);
  expect(await service.websites()).toHaveLength(websites);
  expect(await service.pixels()).toHaveLength(pixels);
}

test("an account is imported in parts, no file is overwritten, and nothing in the stack is ever deleted", async () => {
  const [first, second, lines] = [file("tracking.js"), file("tracking-2.js"), file("tracking-import.json")];
  for (const at of [1, 2, 3])
    await world.service.insertWebsite({ domain: `site-${at}.example.com`, privacy: 1 });
  for (const name of ["GA", "Ads"]) await world.service.insertPixel({ name, type: "bing" });
  await world.program("");
  await world.service.clearRequests();

  const pixels = await imported("--only", "pixels", "--apply");
  expect(pixels).toMatchObject({ code: 0, stderr: "" });
  expect(pixels.stdout).toContain('Add this line to the program, and "pulumi preview" shows no more changes');
  expect(pixels.stdout).toContain(': require("../tracking.js");\n');
  await world.program('require("../tracking.js");\n');
  const early = await readFile(first, "utf8");

  const look = await imported();
  expect(look).toMatchObject({ code: 0, stderr: "" });
  expect(look.stdout).toContain("tracking.js: 3 more declared.\n");
  expect(look.stdout).toContain("run: pulumi import --file tracking-import.json --generate-code=false\n");
  const whole = await readFile(first, "utf8");
  expect(whole.startsWith(early.slice(0, early.lastIndexOf("//")).trimEnd())).toBe(true);
  expect(existsSync(lines)).toBe(true);

  const rest = await imported("--apply");
  expect(rest).toMatchObject({ code: 0, stderr: "" });
  expect(rest.stdout).toContain("3 imported.\nA preview shows no changes.\n");
  expect(await readFile(first, "utf8")).toBe(whole);
  expect(existsSync(second)).toBe(false);
  const held = Object.values(await world.resources());
  expect(held.map(({ protect }) => protect)).toEqual(Array(5).fill(true));
  await world.expectNoChange();

  await writeFile(first, `${whole}// mine\n`);
  await world.service.insertWebsite({ domain: "late.example.com", privacy: 1 });
  const late = await imported("--apply");
  expect(late).toMatchObject({ code: 0, stderr: "" });
  expect(late.stdout).toContain("tracking-2.js: 1 declared.\n");
  expect(late.stdout).toContain(': require("../tracking-2.js");\n');
  expect(await readFile(first, "utf8")).toBe(`${whole}// mine\n`);

  // The line is still missing, and an up would not stop at unprotected records.
  await unprotect("late-example-com");
  const open = await imported("--apply");
  expect(open).toMatchObject({ code: 1 });
  expect(open.stdout).toContain(': require("../tracking-2.js");\n');
  expect(open.stderr).toMatch(
    /^error: Without that line the next "pulumi up" deletes unprotected resources: website "late\.example\.com" \(id \d+\)\. Add the line before/,
  );

  // No file declares the records that were imported before any more.
  await rm(first);
  await world.program('require("../tracking-2.js");\n');
  const lost = await imported("--apply");
  expect(lost.code).toBe(1);
  expect(lost.stderr).toMatch(
    /^error: The next "pulumi up" would delete what the program does not declare: /,
  );
  const { id } = await world.website("site-3.example.com");
  for (const name of ['pixel "GA" (id ', 'pixel "Ads" (id ', `website "site-3.example.com" (id ${id})`])
    expect(lost.stderr).toContain(name);
  expect(lost.stderr).not.toContain("late.example.com");
  await world.fail(["up", "--yes", "--skip-preview"]);
  const [, command = ""] = /run "pulumi (state delete --force) URN" for each/.exec(lost.stderr) ?? [];
  const { urn } = await world.resource("ga");
  await world.run([...command.split(" "), "--yes", urn]);
  expect(Object.keys(await world.resources())).toHaveLength(held.length);
  await expectNothingWritten(world, 4, 2);
});

/** Unprotects one resource in state, as an up does if the program says so. */
async function unprotect(name: string): Promise<void> {
  const state = JSON.parse(await readFile(world.stateFile, "utf8"));
  const { urn } = await world.resource(name);
  const found = state.checkpoint.latest.resources.find((each: { urn: string }) => each.urn === urn);
  found.protect = false;
  await writeFile(world.stateFile, JSON.stringify(state));
}

test("a value that YAML may not have stays on the service, and the file can be loaded", async () => {
  file("tracking.yaml");
  const { id } = await world.service.insertWebsite({
    domain: "a.example.com",
    privacy: 1,
    exclude_ips: "198.51.100.*",
  });
  await world.program('tracking.declareFrom("../tracking.yaml");\n');
  await writeFile(join(world.project.folder, "tracking.yaml"), "websites: {}\n");
  await world.service.clearRequests();
  const { code, stdout, stderr } = await imported("--apply", "--format", "yaml", "--force");
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain(
    `website "a.example.com" (id ${id}): YAML can't hold excludeIps ["198.51.100.*"]; the file omits it, and it stays unchanged.`,
  );
  expect(stdout).toContain("1 imported.\nA preview shows no changes.\n");
  await expectNothingWritten(world, 1, 0);
});

test("a program of ES modules takes the line that is named", async () => {
  file("program/package.json");
  file("program/tracking.js");
  onTestFinished(() => world.program(""));
  await world.service.insertWebsite({ domain: "a.example.com", privacy: 1 });
  await world.service.insertPixel({ name: "GA", type: "bing", value: "B-1" });
  await world.project.write("program/package.json", '{"type":"module"}');
  await world.project.write("program/index.js", "export const there = true;\n");
  const { code, stdout, stderr } = await imported("--apply", "--out", join("program", "tracking.js"));
  expect({ code, stderr }, stdout).toEqual({ code: 0, stderr: "" });
  const [, line = ""] = /shows no more changes to these records: (.*)\n$/.exec(stdout) ?? [];
  expect(line).toBe('import "./tracking.js";');
  await world.project.write("program/index.js", `${line}\nexport const there = true;\n`);
  await world.expectNoChange();
});

test("during another run nothing is left behind, and the files of that run are skipped", async () => {
  const out = file("tracking.js");
  const lock = join(world.project.backend, ".pulumi", "locks", "organization", "fresh", "dev", "other.json");
  await world.service.insertWebsite({ domain: "a.example.com" });
  await world.service.insertWebsite({ domain: "b.example.com" });
  await world.program("");
  const state = JSON.parse(await readFile(world.stateFile, "utf8"));
  const type = tokenOf("Website", world.form);
  const making = { urn: `urn:pulumi:dev::fresh::${type}::b`, type, inputs: { domain: "B.example.com" } };
  state.checkpoint.latest ??= { manifest: { time: "2026-01-01T00:00:00Z", magic: "", version: "" } };
  state.checkpoint.latest.pending_operations = [{ resource: { ...making, custom: true }, type: "creating" }];
  await writeFile(world.stateFile, JSON.stringify(state));
  await mkdir(dirname(lock), { recursive: true });
  const other = { pid: 1, username: "other", hostname: "there", timestamp: "2026-01-01T00:00:00Z" };
  await writeFile(lock, JSON.stringify(other));
  onTestFinished(() => rm(lock, { force: true }));

  const { code, stdout, stderr } = await imported("--apply");
  expect(code, stdout).toBe(1);
  expect(stdout).toContain('website "b.example.com" is skipped: a run that has not ended is creating it');
  expect(stderr).toMatch(
    /^error: The stack is locked by another run: .* Nothing was imported, and no file was changed\.\n$/,
  );
  expect(stderr).toContain("created by other@there (pid 1)");
  expect(existsSync(out)).toBe(false);
});

test("a declared record that another resource manages is skipped, and a similar one is never imported", async () => {
  const add = (domain: string) =>
    world.service.insertWebsite({ domain, privacy: 1, email: 0, exclude_bots: 1 });
  for (const domain of ["shop.example.com", "blog.example.com", "www.blog.example.com"]) await add(domain);
  await world.program(
    declare("Website", "shop", { domain: "shop.example.com" }) +
      declare("Website", "www-blog", { domain: "www.blog.example.com" }) +
      declare("Website", "blog", { domain: "blog.example.com" }),
  );
  const first = await imported("--declared", "--apply");
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toContain("3 imported.\nA preview shows no changes.\n");
  const ids = Object.entries(await world.resources()).map(([name, { id }]) => [name, id]);
  const idOf = async (domain: string) => String((await world.website(domain)).id);
  const shop = await idOf("shop.example.com");
  expect(Object.fromEntries(ids)).toEqual({
    shop,
    blog: await idOf("blog.example.com"),
    "www-blog": await idOf("www.blog.example.com"),
  });

  // A protected resource that the program no longer declares would end the preview that import relies on.
  await world.run(["state", "unprotect", "--all", "--yes"]);
  await world.program(
    declare("Website", "copy", { domain: "Shop.example.com" }) +
      declare("Website", "www-shop", { domain: "www.shop.example.com" }) +
      declare("Website", "www-blog", { domain: "www.blog.example.com" }) +
      declare("Website", "blog", { domain: "blog.example.com" }),
  );
  const again = await imported("--declared", "--apply");
  expect(again.stdout).toContain(
    `website "Shop.example.com": skipped, because "shop" already manages its record (id ${shop}); declare it once`,
  );
  expect(again.stdout).toContain(
    `website "www.shop.example.com": does not exist on the service, but "shop.example.com" does (id ${shop})`,
  );
  expect(again.stdout).toContain("Nothing to import");
  expect(Object.keys(await world.resources())).toHaveLength(3);
});

test("filters that match nothing are reported, and without a pattern there is no filter", async () => {
  await world.service.insertWebsite({ domain: "bücher.example", privacy: 1 });
  await world.program("");
  const from = file("wanted.txt");
  const out = file("tracking.js");
  file("tracking-import.json");
  await writeFile(from, "# wanted\nxn--bcher-kva.*\nnot-there.example\n");
  const some = await imported("--from", "wanted.txt", "--exclude", "old.*");
  expect(some).toMatchObject({ code: 0, stderr: "" });
  expect(some.stdout).toContain('wanted.txt:3 "not-there.example" matches no record.\n');
  expect(some.stdout).toContain('--exclude "old.*" matches no record.\n');
  expect(await readFile(out, "utf8")).toContain("bücher.example");

  expect(await imported("--match", "shop.*")).toMatchObject({
    code: 1,
    stderr:
      'error: Nothing to import: --match "shop.*" matches no record. Give domains and names as the service shows them; * matches any text.\n',
  });
  const odd = await imported("--match", "[");
  expect(odd).toMatchObject({ code: 1, stdout: "" });
  expect(odd.stderr).toContain('--match "[" is not a valid pattern');
});
