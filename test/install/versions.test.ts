import { readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import ts from "typescript";
import { beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { run } from "../../tools/child.mjs";
import { ensureNode } from "../../tools/npm-package.mjs";
import { createProject } from "../../tools/project.mjs";
import { ROOT } from "../../tools/root.mjs";
import { readme } from "../docs/readme";
import { environmentFor, LEAN } from "../engine/fresh-project";
import { KEY, line, nameOf } from "../engine/harness";
import { service } from "../service";
import { scratch } from "./clone";

/** The oldest and the newest that the README names. */
const [, OLDEST_NODE = "", NEWEST_NODE = "", OLDEST = "", NEWEST = ""] =
  /Node\.js (\S+) to (\d+), `@pulumi\/pulumi` (\S+) to (\S+) and/.exec(readme) ?? [];

const promised = [
  [`${OLDEST_NODE}.0`, OLDEST],
  ["22", NEWEST],
  ["24", NEWEST],
  [NEWEST_NODE, NEWEST],
] as const;

/** The oldest are tried each time: all else runs on newer ones. CI tries all of them in a separate job. */
const rows = inject("allVersions") ? promised : promised.slice(0, 1);
const major = (version: string) => Number.parseInt(version, 10);

/** The folder of a program with each of the two: all else here has the newest. */
const installed: Record<string, string> = { [NEWEST]: inject("installed") };
beforeAll(async () => {
  // Without a compiler: the oldest takes none of today.
  const files = { "package.json": "{}" };
  const project = await createProject({ tarball: inject("tarball"), pulumiVersion: OLDEST, files });
  installed[OLDEST] = project.folder;
  return () => project.remove();
});

const PROGRAM = `
const tracking = require("pulumi-tracking");
new tracking.Website("shop", { domain: "shop.example.com", excludeIps: ["192.0.2.1"] }, { protect: false });
exports.found = tracking.getPixelOutput({ name: "There" }).value;
`;

/** Every Node.js process records its version and its program. */
const WITNESS = `require("node:fs").appendFileSync(
  process.env.WITNESSED,
  JSON.stringify([process.version, process.argv[1]]) + "\\n",
);`;
const seenBy = async (file: string): Promise<[version: string, script: string][]> =>
  (await readFile(file, "utf8"))
    .trim()
    .split("\n")
    .map((each) => JSON.parse(each));

/** The version of Pulumi that a program in a folder loads. */
const versionIn = async (folder: string): Promise<string> =>
  JSON.parse(await readFile(join(folder, "node_modules", "@pulumi", "pulumi", "package.json"), "utf8"))
    .version;

it.each(rows)("works with Node.js %s and @pulumi/pulumi %s", async (node, pulumi) => {
  const { url, control } = await service({ apiKey: KEY });
  control.seed({ pixels: [{ name: "There", value: "t-1" }] });
  const files = { "index.js": PROGRAM, "witness.cjs": WITNESS };
  const project = await createProject({ like: `${installed[pulumi]}`, files });
  onTestFinished(() => project.remove());
  expect(await versionIn(project.folder)).toBe(pulumi);
  const witnessed = join(project.root, "witnessed");
  const env = {
    PATH: [await ensureNode(node), project.env.PATH].join(delimiter),
    NODE_OPTIONS: `--require ${join(project.folder, "witness.cjs")}`,
    WITNESSED: witnessed,
    ...environmentFor(url),
  };

  await project.pulumi(["up", "--yes", "--skip-preview"], { env });
  env.NODE_OPTIONS += ` ${LEAN.NODE_OPTIONS}`;
  await project.pulumi(["preview", "--expect-no-changes"], { env });
  const [{ id = 0 } = {}] = control.websites();
  control.editWebsite(id, { email: 1 });
  await project.pulumi(["refresh", "--yes", "--skip-preview"], { env });
  const { resources = [] } = (await project.state()).deployment;
  const shop = resources.find(({ urn }) => nameOf(String(urn)) === "shop");
  expect(shop?.outputs).toMatchObject({ domain: "shop.example.com", emailReports: true });
  expect(resources[0]?.outputs).toEqual({ found: "t-1" });
  await project.pulumi(["destroy", "--yes", "--skip-preview"], { env });
  expect(
    control
      .requests()
      .map(line)
      .filter((each) => !each.startsWith("GET")),
  ).toEqual(["POST /api/v1/websites", `DELETE /api/v1/websites/${id}`]);
  expect(control.websites()).toEqual([]);

  const seen = await seenBy(witnessed);
  expect([...new Set(seen.map(([version]) => version.split(".")[0]))]).toEqual([`v${node.split(".")[0]}`]);
  const ran = seen.map(([, script]) => script).join("\n");
  expect(ran).toMatch(/cmd\/run/);
  expect(ran).toMatch(/cmd\/dynamic-provider/);
});

/** Reads everything that the package takes from Pulumi's own fields, of resources under mocks and of an engine's client. */
const READER = `
const pulumi = require("@pulumi/pulumi");
const sdk = require("./internals");
class Group extends pulumi.ComponentResource {
  constructor(name, opts) { super("test:index:Group", name, {}, opts); this.named = name; }
}
class Thing extends pulumi.CustomResource {
  constructor(name, opts) { super("test:index:Thing", name, { size: undefined }, opts); this.named = name; }
}
async function main() {
  await pulumi.runtime.setMocks(
    { newResource: ({ name }) => ({ id: name + "-id", state: {} }), call: ({ inputs }) => inputs },
    "project", "stack", true,
  );
  const outer = new Group("outer", { protect: true });
  const inner = new Group("inner", { parent: outer });
  const thing = new Thing("thing", { parent: inner, protect: false });
  const alone = new Group("alone");
  const isMocked = sdk.isMocked();
  const read = {
    types: [outer, thing, {}, undefined, "text"].map((each) => sdk.typeOf(each) ?? null),
    parents: [inner, thing].map((each) => sdk.parentOf(each).named),
    children: [outer, thing].map((each) => [...sdk.childrenOf(each)].map(({ named }) => named)),
    protected: [outer, inner, thing, alone].map((each) => sdk.isProtected(each) ?? null),
    sources: (await sdk.sourcesOf(pulumi.all([thing.id, "text"]))).map(({ named }) => named),
    known: [await sdk.isKnown(pulumi.output("text")), await sdk.isKnown(thing.size)],
  };
  pulumi.runtime.setAllConfig({ "test:open": "1", "test:key": "2" }, ["test:key"]);
  const secret = ["test:open", "test:key"].map((key) => sdk.isConfigSecret(key));
  pulumi.runtime.resetOptions("project", "stack", 1, "127.0.0.1:9", "127.0.0.1:9", false, "");
  const address = sdk.addressOf(pulumi.runtime.getEngine());
  console.log(JSON.stringify({ ...read, secret, address, mocked: [isMocked, sdk.isMocked()] }));
  process.exit();
}
main();
`;

it.each([OLDEST, NEWEST])("reads Pulumi's own fields as @pulumi/pulumi %s has them", async (version) => {
  const folder = await scratch("internals", onTestFinished);
  await symlink(join(`${installed[version]}`, "node_modules"), join(folder, "node_modules"));
  expect(await versionIn(folder)).toBe(version);
  const source = await readFile(join(ROOT, "sdk", "internals.ts"), "utf8");
  const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  await writeFile(join(folder, "internals.js"), ts.transpile(source, compilerOptions));
  await writeFile(join(folder, "reader.js"), READER);
  const { stdout } = await run(process.execPath, ["reader.js"], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({
    types: ["test:index:Group", "test:index:Thing", null, null, null],
    parents: ["outer", "inner"],
    children: [["inner"], []],
    protected: [true, true, false, null],
    sources: ["thing"],
    known: [true, false],
    secret: [false, true],
    address: "127.0.0.1:9",
    mocked: [true, false],
  });
});

it("runs its own commands on an older Node.js with one from npm, with all that they start", async () => {
  const folder = await scratch("older", onTestFinished);
  const [witness, witnessed] = [join(folder, "witness.cjs"), join(folder, "witnessed")];
  await writeFile(witness, WITNESS);
  const env = {
    ...process.env,
    PATH: [await ensureNode("20"), process.env.PATH].join(delimiter),
    NODE_OPTIONS: `--require ${witness}`,
    WITNESSED: witnessed,
  };
  const args = ["test", "--", "--project", "unit", "test/provider/api/retry.test.ts"];
  const { stdout } = await run("npm", args, { cwd: ROOT, env });
  expect(stdout).toMatch(/^Node\.js v20\S+ is older than 22\.12: npm gets Node\.js 22 for this …$/m);
  expect(stdout).toMatch(/\n[1-9]\d* passed, 0 failed\n$/);
  const tests = (await seenBy(witnessed)).filter(([, script = ""]) => /tools|vitest/.test(script));
  expect(tests.map(([version]) => major(version.slice(1)))).toEqual([
    20,
    22,
    ...tests.slice(2).map(() => 22),
  ]);
  expect(tests.length).toBeGreaterThan(1);

  const offline = { npm_config_offline: "true", npm_config_cache: folder };
  const refused = run("npm", args, { cwd: ROOT, env: { ...env, ...offline } });
  await expect(refused).rejects.toThrow("install Node.js 22.12 or newer (https://nodejs.org)");
  const asked = run("node", ["--eval", 'require("./dist/sdk")'], { cwd: ROOT, env });
  await expect(asked).rejects.toThrow("Error: pulumi-tracking needs Node.js 22.12 or newer, and this is v20");
});
