import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { declare, KEY, useHarness } from "./harness";
import { importing } from "./importing";
import { descendants, endAll } from "./processes";

const world = useHarness();
/** The number of records; the soak tests use 300 and 60. */
const WEBSITES = 12;
const PIXELS = 6;

async function writes(): Promise<string[]> {
  return (await world.service.requests())
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path}`);
}

test("the records of an account become a program, and none of them is changed", async () => {
  for (let at = 1; at <= WEBSITES; at += 1)
    await world.service.insertWebsite({
      domain: `site-${at}.example.com`,
      privacy: at % 3,
      email: at % 2,
      exclude_ips: at % 4 === 0 ? "192.0.2.0/24\n198.51.100.7" : null,
    });
  for (let at = 1; at <= PIXELS; at += 1)
    await world.service.insertPixel({ name: `Pixel "${at}" \u{1F600}`, type: "bing", value: `B-${at}` });
  await world.program("");
  await world.service.clearRequests();

  const file = join("program", "tracking.ts");
  const done = await importing(world, ["--apply", "--out", file]).finished;
  expect(done.stderr).toBe("");
  expect(done.code).toBe(0);
  expect(done.stdout).toContain(`${WEBSITES + PIXELS} imported.`);
  expect(done.stdout).toContain("Add this line to the program");

  const text = await readFile(join(world.project.folder, file), "utf8");
  await world.program(text.replace(/^import .*$/m, "").replace(/^export const/gm, "const"));
  await world.expectNoDiff();
  await world.run(["refresh", "--yes", "--skip-preview", "--expect-no-changes"]);
  expect(await writes()).toEqual([]);
  const protectedOnes = async () => (await world.state()).filter(({ protect }) => protect === true);
  expect(await protectedOnes()).toHaveLength(WEBSITES + PIXELS);

  const again = await importing(world, ["--out", join("program", "more.ts")]).finished;
  expect(again.stdout).toContain("Nothing to import");

  await world.program(
    text
      .replace(/^import .*$/m, "")
      .replace(/^export const/gm, "const")
      .replace('value: "B-1"', 'value: "B-9"'),
  );
  const { written } = await world.up();
  expect(written).toEqual([{ method: "PUT", path: "/api/v1/pixels/1", form: { value: "B-9" } }]);
  expect(await protectedOnes()).toHaveLength(WEBSITES);
});

test("declared records are imported under the program's names, parents and providers", async () => {
  const ids: string[] = [];
  for (const domain of ["a.example.com", "b.example.com", "c.example.com"])
    ids.push(
      String((await world.service.insertWebsite({ domain, privacy: 1, email: 0, exclude_bots: 1 })).id),
    );
  await world.program(
    `${declare("Website", "a", { domain: "A.example.com" })}
const group = new pulumi.ComponentResource("my:index:Group", "group");
new tracking.Website("b", { domain: "b.example.com" }, { parent: group });
const provider = new tracking.Provider("other", { apiKey: ${JSON.stringify(KEY)}, analyticsBaseUrl: ${JSON.stringify(world.service.url)} });
new tracking.Website("c", { domain: "c.example.com" }, { provider, protect: false });
`,
  );
  await world.service.clearRequests();
  const file = "found it.json";

  const dry = await importing(world, ["--declared", "--file", file]).finished;
  expect(dry.stderr).toBe("");
  expect(dry.stdout).toContain(
    `${file}: nothing is imported yet. To import, run: pulumi import --file '${file}' --generate-code=false\n`,
  );
  expect(await readFile(join(world.project.folder, file), "utf8")).not.toContain(KEY);
  expect(await world.resources()).toEqual({});

  const done = await importing(world, ["--declared", "--apply"]).finished;
  expect(done.stderr).toBe("");
  expect(done.stdout).toContain("3 imported.\nA preview shows no changes.");
  expect(done.stdout + done.stderr).not.toContain(KEY);
  expect(await writes()).toEqual([]);
  const held = async () =>
    Object.entries(await world.resources())
      .map(([name, { id, protect }]) => [name, id, protect ?? false])
      .sort();
  const [a, b] = [
    ["a", ids[0], true],
    ["b", ids[1], true],
  ];
  expect(await held()).toEqual([a, b, ["c", ids[2], true]]);
  expect((await world.up()).written).toEqual([]);
  expect(await held()).toEqual([a, b, ["c", ids[2], false]]);
});

test("without --apply nothing is imported, and the printed command does it", async () => {
  await world.service.insertWebsite({ domain: "a.example.com" });
  await world.program("");
  const out = join("program", "later.js");
  const done = await importing(world, ["--out", out, "--stack", "dev"]).finished;
  expect(done.stderr).toBe("");
  const { command = "" } = /run: pulumi (?<command>.*)\n/.exec(done.stdout)?.groups ?? {};
  expect(command).toBe("import --file tracking-import.json --generate-code=false --stack dev");
  expect(done.stdout).toMatch(/^Then add this line to the program: .*later/m);
  expect(await world.resources()).toEqual({});

  await world.run([...command.split(" "), "--yes"]);
  await world.program(
    declare("Website", "a-example-com", { domain: "a.example.com", privacy: "public", excludeBots: false }),
  );
  await world.expectNoDiff();
  expect(await writes()).toEqual([]);
});

test("an existing file is not overwritten", async () => {
  await world.service.insertWebsite({ domain: "a.example.com" });
  await world.program("");
  await writeFile(join(world.project.folder, "mine.ts"), "kept");
  const beside = await importing(world, ["--out", "mine.ts"]).finished;
  expect(beside).toMatchObject({ code: 0, stderr: "" });
  expect(beside.stdout).toContain("mine-2.ts: 1 declared.\n");
  expect(await readFile(join(world.project.folder, "mine.ts"), "utf8")).toBe("kept");
});

test("after a kill during creates, the command that messages name repairs the state", async () => {
  const domains = ["a.example.com", "b.example.com", "c.example.com"];
  await world.program(domains.map((domain, at) => declare("Website", `site${at}`, { domain })).join(""));
  await world.service.addFault({
    match: { method: "POST", field: { domain: "c.example.com" } },
    commit: "before",
    reply: "stall",
  });
  const since = await world.service.mark();
  const engine = world.project.start(["up", "--yes", "--skip-preview"]);
  await world.service.waitFor({ method: "POST", count: 3, since, phase: "committed", timeoutMs: 600_000 });
  // A killed engine leaves its provider's process running, which would check for the outcome of its create.
  const started = descendants(engine.pid ?? 0).map(({ pid }) => pid);
  engine.stop("SIGKILL");
  endAll(started);
  await engine.finished;
  await world.service.clearFaults();
  // An engine that is killed while it writes leaves this file empty, and reads no state any more.
  await writeFile(`${world.stateFile}.attrs`, "");
  expect((await world.fail(["cancel", "--yes"])).stderr).toContain("failed to load checkpoint: EOF");
  await world.unlock();

  const done = await importing(world, ["--declared", "--apply"]).finished;
  expect(done.stderr).toBe("");
  expect(done.code).toBe(0);
  await world.up();
  const stored = await world.service.websites();
  expect(stored.map(({ domain }) => domain).sort()).toEqual(domains);
  const held = Object.values(await world.resources()).map(({ id }) => id);
  expect(held.sort()).toEqual(stored.map(({ id }) => String(id)).sort());
  await world.expectNoDiff();
});
