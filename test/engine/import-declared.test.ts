import { mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { declare, KEY, useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();
const PASSWORD = "password-of-this-world";

/** Runs `import --declared`. */
const imported = (...args: string[]) => importing(world, ["--declared", ...args]).finished;

/** A program of three websites: one by itself, one with a parent, and one of a provider with a key of its own. */
const program =
  () => `${declare("Website", "a", { domain: "A.example.com", privacy: "password", password: PASSWORD })}
const group = new pulumi.ComponentResource("my:index:Group", "group");
new tracking.Website("b", { domain: "b.example.com" }, { parent: group });
const provider = new tracking.Provider("other", { apiKey: ${JSON.stringify(KEY)}, analyticsBaseUrl: ${JSON.stringify(world.service.url)} });
new tracking.Website("c", { domain: "c.example.com" }, { provider, protect: false });
`;

function seed(): void {
  const plain = { privacy: 1, email: 0, exclude_bots: 1 };
  world.service.seed({
    websites: [
      { id: 1, domain: "a.example.com", ...plain, privacy: 2, password: PASSWORD },
      { id: 2, domain: "b.example.com", ...plain },
      { id: 3, domain: "c.example.com", ...plain },
    ],
    pixels: [],
  });
  world.service.clearRequests();
}

test("declared records are imported under the program's names, parents and providers, and a dry run shows the same rows", async () => {
  seed();
  await world.program(program());
  const rowsOf = ({ stdout }: { stdout: string }) => stdout.match(/^website .*$/gm);
  const dry = await imported();
  const first = await imported("--apply");
  expect([dry.code, first.code]).toEqual([1, 1]);
  expect(rowsOf(first)).toEqual(rowsOf(dry));
  expect(first.stdout).toContain("2 imported.");
  const [, command = ""] =
    /the provider "other" are not in the stack yet.* Run "pulumi (.*)", which/.exec(first.stdout) ?? [];
  await world.run([...command.replaceAll("'", "").split(" "), "--yes", "--skip-preview"]);

  const rest = await imported("--apply");
  expect(rest, rest.stdout).toMatchObject({ code: 0, stderr: "" });
  expect(rowsOf(rest)).toEqual([
    'website "c.example.com" (id 3): import as "c", which the program declares.',
  ]);
  expect(rest.stdout).toMatch(/^1 imported\..*\nA preview shows changes to /m);
  for (const { stdout, stderr } of [dry, first, rest])
    for (const secret of [KEY, PASSWORD]) expect(stdout + stderr).not.toContain(secret);
  expect(world.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  const ids = Object.entries(await world.resources()).map(([name, { id, protect }]) => [name, id, protect]);
  expect(ids.sort()).toEqual(["a", "b", "c"].map((name, at) => [name, String(at + 1), true]));
  const { written } = await world.up();
  expect(written.map(({ method, form }) => [method, Object.keys(form)])).toEqual([["PUT", ["password"]]]);
  expect((await world.resource("c")).protect ?? false).toBe(false);

  // After exit code 0, the next `up` deletes nothing, a replacement's old record neither.
  await world.program(program().replace("c.example", "d.example"));
  const replacing = await imported("--apply");
  expect([replacing.code, replacing.stderr]).toEqual([
    1,
    expect.stringMatching(/^error: The next "pulumi up" replaces what the stack holds, .*:\n {2}\S+::c'?\n/),
  ]);

  // What is gone, from the program too, is no loss. Only Pulumi's preview stops at it.
  world.service.deleteWebsite(world.website("b.example.com").id);
  world.service.insertWebsite({ domain: "e.example.com", privacy: 1 });
  const without = program().replace(/^const group.*\n.*\n/m, "");
  await world.program(without);
  expect(await imported("--apply")).toMatchObject({ code: 0, stderr: "" });
  await world.program(without + declare("Website", "e", { domain: "e.example.com" }));
  const { stderr } = await imported("--apply");
  const [, refresh = ""] =
    /stops at .* gone from the service:\n.*::b'?\nRun "pulumi (.*?)"/.exec(stderr) ?? [];
  await world.run([...refresh.split(" "), "--yes", "--skip-preview"]);
  const last = await imported("--apply");
  expect(last, last.stdout).toMatchObject({ code: 0, stderr: "" });
  expect(Object.keys(await world.resources()).sort()).toEqual(["a", "c", "e"]);
});

/** Everything in files at and below a path. What goes while it is read, such as Pulumi's folder of pipes, is left out alone. */
function textsBelow(path: string): string {
  try {
    const entry = statSync(path);
    if (entry.isFile()) return readFileSync(path, "utf8");
    const names = entry.isDirectory() ? readdirSync(path) : [];
    return names.map((name) => textsBelow(join(path, name))).join("\n");
  } catch {
    return "";
  }
}

// The last one: what the killed import had started may still write to the stack.
test("no file holds a secret at any time, even after a SIGKILL", async () => {
  seed();
  const [own = ""] = program().split("const provider");
  await world.program(own);
  const temporary = join(world.project.root, "tmp");
  mkdirSync(temporary);
  world.service.clearRequests();
  const running = importing(world, ["--declared", "--apply"], { env: { TMPDIR: temporary } });
  const ended = running.finished.then(() => true);
  const secrets = new Set<string>();
  while (!(await Promise.race([setTimeout(5, false), ended]))) {
    const texts = textsBelow(temporary);
    for (const secret of [KEY, PASSWORD]) if (texts.includes(secret)) secrets.add(secret);
    // The program has been previewed when the service is asked.
    if (world.service.requests().length > 0) running.stop("SIGKILL");
  }
  expect((await running.finished).signal).toBe("SIGKILL");
  expect(textsBelow(temporary)).not.toMatch(new RegExp(`${KEY}|${PASSWORD}`));
  expect([...secrets]).toEqual([]);
});
