import { expect, test } from "vitest";
import { declare, KEY, useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();
const PASSWORD = "password-of-this-world";

/** Runs `import --declared`. */
const imported = (...args: string[]) => importing(world, ["--declared", ...args]).finished;

const site = (name: string) => declare("Website", name, { domain: `${name}.example.com` });
const own = declare("Website", "a", { domain: "A.example.com", privacy: "password", password: PASSWORD });
const inComponent = `const group = new pulumi.ComponentResource("my:index:Group", "group");
new tracking.Website("b", { domain: "b.example.com" }, { parent: group });
`;
/** Of a provider with a key of its own. */
const ofOther = (domain: string) =>
  `const provider = new tracking.Provider("other", { apiKey: ${JSON.stringify(KEY)}, analyticsBaseUrl: ${JSON.stringify(world.service.url)} });
new tracking.Website("c", { domain: "${domain}" }, { provider, protect: false });
`;

/** `test/cli/import` has every row of a plan; here, what the engine makes of names, parents, providers, and of what is gone or replaced. */
test("declared records are imported under the program's names, parents and providers, and what the messages name leads on", async () => {
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
  const rowsOf = ({ stdout }: { stdout: string }) => stdout.match(/^website .*$/gm);

  await world.program(own + inComponent + ofOther("c.example.com"));
  const dry = await imported();
  const [, command = ""] =
    /the provider "other" are not in the stack yet.* Run "pulumi (.*)", which/.exec(dry.stdout) ?? [];
  await world.run([...command.replaceAll("'", "").split(" "), "--yes", "--skip-preview"]);
  const first = await imported("--apply");
  expect([dry.code, first.code, first.stderr], first.stdout).toEqual([1, 0, ""]);
  const row = (key: string, id: number, name: string) =>
    `website "${key}" (id ${id}): import as "${name}", which the program declares.`;
  expect(rowsOf(first)).toEqual([
    row("A.example.com", 1, "a"),
    row("b.example.com", 2, "b"),
    row("c.example.com", 3, "c"),
  ]);
  expect(first.stdout).toMatch(/^3 imported\..*\nA preview shows changes to /m);
  for (const { stdout, stderr } of [dry, first])
    for (const secret of [KEY, PASSWORD]) expect(stdout + stderr).not.toContain(secret);
  expect(world.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  const ids = Object.entries(await world.resources()).map(([name, { id, protect }]) => [name, id, protect]);
  expect(ids.sort()).toEqual(["a", "b", "c"].map((name, at) => [name, String(at + 1), true]));
  const { written } = await world.up();
  expect(written.map(({ method, form }) => [method, Object.keys(form)])).toEqual([["PUT", ["password"]]]);
  expect((await world.resource("c")).protect ?? false).toBe(false);

  // What is gone, from the program too, is no loss. Only Pulumi's preview stops at it.
  world.service.deleteWebsite(world.website("b.example.com").id);
  world.service.insertWebsite({ domain: "e.example.com", privacy: 1 });
  const others = site("e") + site("absent");
  await world.program(own + ofOther("c.example.com") + others);
  const { stderr } = await imported("--apply");
  const [, refresh = ""] =
    /stops at .* gone from the service:\n.*::b'?\nRun "pulumi (.*?)"/.exec(stderr) ?? [];
  await world.run([...refresh.split(" "), "--yes", "--skip-preview"]);

  // After exit code 0, the next `up` deletes nothing, a replacement's old record neither.
  await world.program(own + ofOther("d.example.com") + others);
  const last = await imported("--apply");
  expect([last.code, last.stderr], last.stdout).toEqual([
    1,
    expect.stringMatching(/^error: The next "pulumi up" replaces what the stack holds, .*:\n {2}\S+::c'?\n/),
  ]);
  expect(rowsOf(last)).toEqual([
    'website "absent.example.com": does not exist on the service; the next up creates it.',
    row("e.example.com", world.website("e.example.com").id, "e"),
  ]);
  expect(Object.keys(await world.resources()).sort()).toEqual(["a", "c", "e"]);
});
