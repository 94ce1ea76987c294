import { expect, test } from "vitest";
import { declare, KEY, useHarness } from "./harness";
import { importing } from "./importing";

const world = useHarness();
const PASSWORD = "password-of-this-world";

/** Runs `import --declared`. */
const imported = (...args: string[]) => importing(world, ["--declared", ...args]).finished;

const site = (name: string, opts = {}, domain = `${name}.example.com`) =>
  declare("Website", name, { domain }, opts);
const own = declare("Website", "a", { domain: "A.example.com", privacy: "password", password: PASSWORD });
const inComponent = `const group = new pulumi.ComponentResource("my:index:Group", "group");
new tracking.Website("b", { domain: "b.example.com" }, { parent: group });
`;
/** Of a provider with a key of its own. */
const ofOther = () =>
  `const provider = new tracking.Provider("other", { apiKey: ${JSON.stringify(KEY)}, analyticsBaseUrl: ${JSON.stringify(world.service.url)} });
new tracking.Website("c", { domain: "c.example.com" }, { provider, protect: false });
`;
/** As `accept --new` leaves it: the service does not return the password. */
const FILE = "websites: { sealed: { domain: sealed.example.com, privacy: password } }\n";
const OPEN = { protect: false };

/** `test/cli/import` has every row of a plan; here, what the engine makes of names, parents, providers, and of what is gone or replaced. */
test("declared records are imported under the program's names, parents and providers, and what the messages name leads on", async () => {
  await world.program(site("lost") + site("moved", OPEN));
  await world.up();
  // What is gone, from the program too, is no loss. Only Pulumi's preview stops at it.
  world.service.deleteWebsite(world.website("lost.example.com").id);
  const plain = { privacy: 1, email: 0, exclude_bots: 1 };
  const sealed = { ...plain, privacy: 2, password: PASSWORD };
  for (const record of [
    { id: 11, domain: "a.example.com", ...sealed },
    { id: 12, domain: "b.example.com", ...plain },
    { id: 13, domain: "c.example.com", ...plain },
    { id: 14, domain: "sealed.example.com", ...sealed },
  ])
    world.service.insertWebsite(record);
  world.service.clearRequests();
  const rowsOf = ({ stdout }: { stdout: string }) => stdout.match(/^website .*$/gm);

  await world.project.write("program/new.yaml", FILE);
  const declared = `${own + inComponent + ofOther() + site("absent")}tracking.declareFrom("new.yaml");\n`;
  await world.program(declared + site("moved", OPEN));
  const dry = await imported();
  const [, provide = ""] =
    /the provider "other" are not in the stack yet.* Run "pulumi (.*)", which/.exec(dry.stdout) ?? [];
  const [, refresh = ""] =
    /stops at .* gone from the service:\n.*::lost'?\nRun "pulumi (.*?)"/.exec(dry.stderr) ?? [];
  for (const advice of [provide, refresh])
    await world.run([...advice.replaceAll("'", "").split(" "), "--yes", "--skip-preview"]);

  // After exit code 0, the next `up` deletes nothing, a replacement's old record neither.
  await world.program(declared + site("moved", OPEN, "new.example.com"));
  const applied = await imported("--apply");
  expect([dry.code, applied.code, applied.stderr], applied.stdout).toEqual([
    1,
    1,
    expect.stringMatching(
      /^error: The next "pulumi up" replaces what the stack holds, .*:\n {2}\S+::moved'?\n/,
    ),
  ]);
  const row = (key: string, id: number, name: string) =>
    `website "${key}" (id ${id}): import as "${name}", which the program declares.`;
  expect(rowsOf(applied)).toEqual([
    row("A.example.com", 11, "a"),
    row("b.example.com", 12, "b"),
    row("c.example.com", 13, "c"),
    row("sealed.example.com", 14, "sealed"),
    'website "absent.example.com": does not exist on the service; the next up creates it.',
  ]);
  expect(applied.stdout).toMatch(/^4 imported\./m);
  for (const { stdout, stderr } of [dry, applied])
    for (const secret of [KEY, PASSWORD]) expect(stdout + stderr).not.toContain(secret);
  expect(world.service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  const { moved, ...others } = await world.resources();
  expect(moved?.protect ?? false).toBe(false);
  expect(
    Object.entries(others)
      .map(([name, { id, protect }]) => [name, id, protect])
      .sort(),
  ).toEqual([
    ["a", "11", true],
    ["b", "12", true],
    ["c", "13", true],
    ["sealed", "14", true],
  ]);

  const { written } = await world.up();
  expect(written.map(({ method, form }) => [method, form.domain ?? Object.keys(form)]).sort()).toEqual([
    ["DELETE", []],
    ["POST", "absent.example.com"],
    ["POST", "new.example.com"],
    ["PUT", ["password"]],
  ]);
  expect((await world.resource("c")).protect ?? false).toBe(false);
});
