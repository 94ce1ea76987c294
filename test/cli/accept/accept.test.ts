import { appendFileSync } from "node:fs";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { accept } from "../../../cli/accept/accept";
import { driftIn } from "../../../cli/accept/drift";
import type { AcceptOptions } from "../../../cli/accept/run";
import type { EngineStep, StackResource } from "../../../cli/pulumi/json-output";
import { Stack } from "../../../cli/pulumi/stack";
import { rejection } from "../../rejection";
import { service } from "../../service";

const urnOf = (name: string, kind = "Website") => `urn:pulumi:dev::shop::tracking:index:${kind}::${name}`;
const SHOP = { domain: "shop.example", privacy: "private", emailReports: false, excludeBots: true };

function state(name: string, inputs: object, kind = "Website"): StackResource {
  const type = `tracking:index:${kind}`;
  return { urn: urnOf(name, kind), type, id: "7", inputs: { ...inputs }, custom: true };
}

/** The steps of a preview: what was in state, what a refresh found, and what the program says. */
function steps(
  name: string,
  before: object,
  found: object,
  declared: object,
  kind = "Website",
): EngineStep[] {
  const urn = urnOf(name, kind);
  const [old, now, news] = [before, found, declared].map((inputs) => state(name, inputs, kind)) as [
    StackResource,
    StackResource,
    StackResource,
  ];
  return [
    { op: "refresh", urn, oldState: old, newState: old },
    { op: "update", urn, oldState: now, newState: news },
  ];
}

/** A project with files, and a preview of these steps. */
async function run(
  files: Record<string, string>,
  given: readonly EngineStep[],
  options: AcceptOptions = {},
  during: (folder: string) => void | Promise<void> = () => {},
  settings: Record<string, string> = {},
) {
  const folder = await mkdtemp(join(tmpdir(), "accept-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "program"));
  const texts = { "Pulumi.yaml": "name: shop\nruntime: nodejs\n", ...files };
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
  const declared = Object.keys(files).map((name) => join(folder, name));
  const asked: string[][] = [];
  const execute = async (args: readonly string[], { env = {} }: { env?: Record<string, string> } = {}) => {
    asked.push([...args]);
    const config = Object.entries(settings).map(([name, value]) => [`tracking:${name}`, { value }]);
    const ended = (output: object) => ({ code: 0, stdout: JSON.stringify(output), stderr: "" });
    if (args[0] === "config") return ended(Object.fromEntries(config));
    if (args[0] === "stack") return ended({});
    for (const { urn, type, name } of given.map(({ urn }) => ({
      urn,
      type: "Website",
      name: urn.split("::").at(-1) ?? "",
    })))
      if (!name.startsWith("coded"))
        appendFileSync(
          env.TRACKING_DECLARATIONS ?? "",
          `${JSON.stringify({ urn, type, name, files: declared, folders: [] })}\n`,
        );
    await during(folder);
    return ended({ steps: given, diagnostics: [] });
  };
  const printed: string[] = [];
  const accepting = accept({
    stack: new Stack(undefined, execute),
    options,
    folder,
    print: (text) => void printed.push(text),
    notify: () => {},
  });
  return {
    accepting,
    asked,
    printed,
    text: (name: string) => readFile(join(folder, name), "utf8"),
  };
}

const FILE = { "a.yaml": "websites:\n  shop: { domain: shop.example }\n" };
const isPublic = steps("shop", SHOP, { ...SHOP, privacy: "public" }, SHOP);

test("one look with a refresh and the program's settings is all that the engine is asked", async () => {
  const { accepting, asked, printed } = await run(FILE, isPublic, { apply: true });
  expect(await accepting).toBe(true);
  const [preview = []] = asked;
  expect(asked.map(([verb]) => verb)).toEqual(["preview", "config"]);
  expect(preview).toEqual(expect.arrayContaining(["--refresh=true", "--run-program"]));
  expect(printed).toEqual(["a.yaml: changed.\n"]);
});

test("a file keeps its mode, and a link into the project is followed, but not one out of it", async () => {
  const linked = async (to: "program" | "elsewhere") => {
    const elsewhere = await mkdtemp(join(tmpdir(), "elsewhere-"));
    onTestFinished(() => rm(elsewhere, { recursive: true, force: true }));
    let [real, mode] = ["", 0];
    const given = await run(FILE, isPublic, { apply: true }, async (folder) => {
      real = join(to === "program" ? join(folder, to) : elsewhere, "real.yaml");
      await rename(join(folder, "a.yaml"), real);
      // A usual umask would take the group's right to write.
      await chmod(real, 0o775);
      mode = (await stat(real)).mode;
      await symlink(real, join(folder, "a.yaml"));
    });
    return {
      ...given,
      real: () => readFile(real, "utf8"),
      keepsMode: async () => (await stat(real)).mode === mode,
    };
  };
  const within = await linked("program");
  expect(await within.accepting).toBe(true);
  expect([await within.real(), await within.keepsMode()]).toEqual([await within.text("a.yaml"), true]);
  expect(await within.real()).toContain("public");
  const out = await linked("elsewhere");
  expect((await rejection(out.accepting)).message).toMatch(
    /a\.yaml is a link to .*real\.yaml, which is not in the project; nothing was written\. Change that file by hand/,
  );
  expect(await out.real()).toBe(FILE["a.yaml"]);
});

test("no file is written if another one can't be, and with a selection the other one is", async () => {
  const files = { ...FILE, "b.yaml": "websites:\n  blog: { domain: blog.example }\n" };
  const blog = { ...SHOP, domain: "blog.example" };
  const both = [...isPublic, ...steps("blog", blog, { ...blog, privacy: "public" }, blog)];
  const locked = async (options: AcceptOptions) => {
    let folder = "";
    const given = await run(files, both, { ...options, apply: true }, async (place) => {
      folder = place;
      await chmod(join(place, "b.yaml"), 0o444);
    });
    return { ...given, names: () => readdir(folder) };
  };
  const refused = await locked({});
  expect((await rejection(refused.accepting)).message).toMatch(
    /b\.yaml can't be written: it is read-only; nothing was written\. Make it writable/,
  );
  expect([await refused.text("a.yaml"), await refused.text("b.yaml")]).toEqual(Object.values(files));
  expect((await refused.names()).sort()).toEqual(["Pulumi.yaml", "a.yaml", "b.yaml", "program"]);
  const one = await locked({ match: ["shop.*"] });
  expect(await one.accepting).toBe(true);
  expect(await one.text("a.yaml")).toContain("public");
});

test("without --apply the diff is printed, and the file stays", async () => {
  const { accepting, printed, text } = await run(FILE, isPublic);
  expect(await accepting).toBe(false);
  expect(printed.join("")).toBe(
    "diff --git a/a.yaml b/a.yaml\n--- a/a.yaml\n+++ b/a.yaml\n@@ -1,2 +1,2 @@\n websites:\n-  shop: { domain: shop.example }\n+  shop: { domain: shop.example, privacy: public }\n",
  );
  expect(await text("a.yaml")).toBe(FILE["a.yaml"]);
});

test("what the program changes itself, or what nobody changed, is not accepted", () => {
  const planned = [
    ...steps("own", SHOP, SHOP, { ...SHOP, privacy: "public" }),
    ...steps("same", SHOP, { ...SHOP, privacy: "public" }, { ...SHOP, privacy: "public" }),
    ...steps("hidden", { ...SHOP, password: "[secret]" }, { ...SHOP, password: "[secret]" }, SHOP),
    // Someone opened the page, and so does the program, which has no password any more.
    ...steps("opened", { ...SHOP, password: "[secret]" }, SHOP, SHOP),
  ];
  const [own] = planned;
  const refreshed = planned.filter(({ op }) => op === "refresh");
  expect(own).toBeDefined();
  expect(driftIn({ steps: planned.filter(({ op }) => op !== "refresh"), refreshed })).toEqual([]);
});

test("what a function computes, and what the program's own code declares, is a line for a person", async () => {
  const computed = { "a.yaml": "websites:\n  shop: { domain: shop.example, emailReports: true }\n" };
  const given = [...isPublic, ...steps("coded", SHOP, { ...SHOP, emailReports: true }, SHOP)];
  const changed = steps("shop", SHOP, { ...SHOP, excludeBots: false, emailReports: true }, SHOP);
  const { accepting, printed, text } = await run(computed, [...changed, ...given.slice(2)], { apply: true });
  expect(await accepting).toBe(false);
  expect(printed).toEqual([
    "a.yaml: changed.\n",
    'a.yaml:2: website "shop": set emailReports: true there.\n',
    'website "coded": set emailReports: true in the program.\n',
  ]);
  expect(await text("a.yaml")).toBe(
    computed["a.yaml"].replace("shop.example,", "shop.example, excludeBots: false,"),
  );
});

test("what both sides changed is left to a person, who reads both values, and the rest is written", async () => {
  const files = { "a.yaml": "websites:\n  shop: { domain: shop.example, privacy: password }\n" };
  const declared = { ...SHOP, privacy: "password" };
  const found = { ...SHOP, privacy: "public", emailReports: true };
  const { accepting, printed, text } = await run(files, steps("shop", SHOP, found, declared), {
    apply: true,
  });
  expect(await accepting).toBe(false);
  expect(printed).toEqual([
    "a.yaml: changed.\n",
    'a.yaml:2: website "shop": set privacy: "public" there, or "pulumi up" sets "password": both sides changed it.\n',
  ]);
  expect(await text("a.yaml")).toBe(
    files["a.yaml"].replace("shop.example,", "shop.example, emailReports: true,"),
  );
});

test("a password that the service has dropped, since someone opened the page, is a line for a person: the next up would set it again", async () => {
  const files = {
    "a.yaml":
      "websites:\n  shop: { domain: shop.example, privacy: password, password: { config: word } }\n  blog: { domain: blog.example, privacy: password, password: { config: word } }\n",
  };
  const shop = { ...SHOP, privacy: "password", password: "[secret]" };
  const blog = { ...shop, domain: "blog.example" };
  const { password: _, ...opened } = shop;
  const given = [
    ...steps("shop", shop, { ...opened, privacy: "public" }, shop),
    ...steps("blog", blog, { ...blog, emailReports: true }, blog),
  ];
  const { accepting, printed, text } = await run(files, given, { apply: true });
  expect(await accepting).toBe(false);
  expect(printed).toEqual(["a.yaml: changed.\n", 'a.yaml:2: website "shop": remove password there.\n']);
  expect(await text("a.yaml")).toContain("shop.example, privacy: public, password: { config: word } }");
});

test("what Pulumi.yaml itself declares is told as an edit", async () => {
  const text =
    "name: shop\nruntime: yaml\nresources:\n  shop: { type: tracking:Website, properties: { domain: shop.example } }\n";
  const given = steps("coded-shop", SHOP, { ...SHOP, privacy: "public" }, SHOP);
  const { accepting, printed, ...project } = await run({ "Pulumi.yaml": text }, given, { apply: true });
  expect(await accepting).toBe(false);
  expect(printed).toEqual(['website "coded-shop": set privacy: "public" in the program.\n']);
  expect(await project.text("Pulumi.yaml")).toBe(text);
});

test("anchors are named, and nothing is written", async () => {
  const files = { "a.yaml": "websites:\n  blog: &b { domain: blog.example }\n  shop: *b\n" };
  const { accepting, text } = await run(files, isPublic, { apply: true });
  expect((await rejection(accepting)).message).toMatch(
    /a\.yaml:3:9: anchors and aliases are not supported.*nothing was written/s,
  );
  expect(await text("a.yaml")).toBe(files["a.yaml"]);
});

test("a file that changed meanwhile, or has a mistake, is named, and nothing is written", async () => {
  const files = { ...FILE, "b.yaml": "websites:\n  blog: { domain: blog.example }\n" };
  const blog = { ...SHOP, domain: "blog.example" };
  const both = [...isPublic, ...steps("blog", blog, { ...blog, privacy: "public" }, blog)];
  const wrong = await run({ ...files, "b.yaml": "websites: [" }, both, { apply: true });
  expect(String(await rejection(wrong.accepting))).toMatch(/b\.yaml:1:.*nothing was written/s);
  expect(await wrong.text("a.yaml")).toBe(FILE["a.yaml"]);
  // The program had read another text.
  const raced = await run(files, both, { apply: true }, (folder) =>
    writeFile(
      join(folder, "b.yaml"),
      "websites:\n  blog: { domain: blog.example, privacy: password, password: { config: a } }\n",
    ),
  );
  expect(await raced.accepting).toBe(false);
  expect(raced.printed).toContain('b.yaml:2: website "blog": set privacy: "public" there.\n');
});

test.each<[AcceptOptions, string[]]>([
  [{ exclude: ["SHOP.*"] }, ["blog", "p"]],
  [{ match: ["*.example"], exclude: ["blog.example"] }, ["shop"]],
  [{ only: "pixels" }, ["p"]],
  [{ only: "websites", match: ["p"] }, []],
])("a selection leaves the others: %j", async (options, expected) => {
  const files = {
    "a.yaml":
      "websites:\n  shop: { domain: shop.example }\n  blog: { domain: blog.example }\npixels:\n  p: { name: P, type: bing, value: A }\n",
  };
  const blog = { ...SHOP, domain: "blog.example" };
  const pixel = { name: "P", type: "bing", value: "A" };
  const given = [
    ...isPublic,
    ...steps("blog", blog, { ...blog, privacy: "public" }, blog),
    ...steps("p", pixel, { ...pixel, value: "B" }, pixel, "Pixel"),
  ];
  const { accepting, printed, text } = await run(files, given, { ...options, apply: true });
  expect(await accepting).toBe(true);
  const changed = (await text("a.yaml")).match(/^ +\w+(?=:.*(public|value: B))/gm) ?? [];
  expect(changed.map((name) => name.trim())).toEqual(expected);
  const nothing = "Nothing to accept: the service has what the program declares.\n";
  expect(printed).toEqual([expected.length > 0 ? "a.yaml: changed.\n" : nothing]);
});

test("a file for new records beside another one: its lists have names of their own, and what neither the service nor it can say is told", async () => {
  const here = await service();
  const excludeIps = "192.0.2.1\n192.0.2.2";
  here.control.insertWebsite({ domain: "made.example", exclude_ips: excludeIps });
  here.control.insertWebsite({
    domain: "secret.example",
    exclude_ips: excludeIps,
    privacy: 2,
    password: "canary",
  });
  here.control.insertWebsite({ domain: "zero.example", exclude_bots: 1, privacy: 1 });
  const files = {
    "new.yaml": `lists: { excludeIps1: [203.0.113.1] }
defaults: { websites: { excludeParams: [session], emailReports: true, excludeIps: [excludeIps1] } }
websites:
  shop: { domain: shop.example }
`,
  };
  const same = { ...SHOP, emailReports: true };
  const given = steps("shop", same, same, same);
  const options = {
    new: "new.yaml",
    apply: true,
    only: "websites",
    match: ["*.example"],
    exclude: ["shop.*"],
  };
  const { accepting, printed, text } = await run(files, given, options, undefined, here.settings);
  expect(await accepting).toBe(false);
  expect(printed).toEqual([
    "new-2.yaml: written.\n",
    'new-2.yaml: 3 websites: "pulumi up" sets excludeParams of the defaults, which the service does not show.\n',
    'new-2.yaml: website "secret-example": until it is imported, a preview needs "password: { config: NAME }" there.\n',
    'new-2.yaml is new: have declareFrom read it, and run "npx pulumi-tracking import --declared --apply" before the next "pulumi up".\n',
  ]);
  expect(
    await text("new-2.yaml"),
  ).toBe(`# yaml-language-server: $schema=node_modules/pulumi-tracking/dist/tracking.schema.json
lists:
  excludeIps2:
    - 192.0.2.1
    - 192.0.2.2
websites:
  made-example:
    domain: made.example
    emailReports: false
    privacy: public
    excludeBots: false
    excludeIps:
      - excludeIps2
  # The service does not return the password; it keeps the current one.
  secret-example:
    domain: secret.example
    emailReports: false
    privacy: password
    excludeBots: false
    excludeIps:
      - excludeIps2
  zero-example:
    domain: zero.example
    emailReports: false
    excludeIps: []
`);
});

test("a file for new records in a folder that is not there is named, and nothing is written", async () => {
  const here = await service();
  here.control.insertWebsite({ domain: "made.example" });
  const options = { new: "folder/new.yaml", apply: true, only: "websites" };
  const { accepting, printed, text } = await run(FILE, isPublic, options, undefined, here.settings);
  expect((await rejection(accepting)).message).toMatch(
    /folder.new\.yaml can't be written: ENOENT.*\. Choose a name that can be written/,
  );
  expect([printed, await text("a.yaml")]).toEqual([[], FILE["a.yaml"]]);
});

test("no file for new records is left if another file can't be written", async () => {
  const here = await service();
  here.control.insertWebsite({ domain: "made.example" });
  const options = { new: "new.yaml", apply: true, only: "websites" };
  const { accepting, text } = await run(
    FILE,
    isPublic,
    options,
    (folder) => chmod(join(folder, "a.yaml"), 0o444),
    here.settings,
  );
  expect((await rejection(accepting)).message).toContain("it is read-only; nothing was written");
  expect(String(await rejection(text("new.yaml")))).toContain("ENOENT");
});

test("what a resource has under another id or another name is not new, and what none has is named with its command", async () => {
  const here = await service();
  here.control.insertWebsite({ id: 70, domain: "shop.example" });
  here.control.insertPixel({ id: 7, name: "New", type: "bing", value: "A" });
  const pixel = { name: "Old", type: "bing", value: "A" };
  const given = [...steps("shop", SHOP, SHOP, SHOP), ...steps("p", pixel, pixel, pixel, "Pixel")];
  const known = await run(FILE, given, {}, undefined, here.settings);
  expect(await known.accepting).toBe(true);
  here.control.insertWebsite({ domain: "made.example" });
  const { accepting, printed } = await run(FILE, given, {}, undefined, here.settings);
  expect(await accepting).toBe(false);
  expect(printed).toEqual([
    'website "made.example" is in no program of this stack: give --new FILE.yaml, or run "npx pulumi-tracking import --format yaml --only websites --match made.example --out FILE.yaml".\n',
  ]);
  here.control.insertWebsite({ domain: "second.example" });
  const several = await run(FILE, given, {}, undefined, here.settings);
  expect(await several.accepting).toBe(false);
  expect(several.printed).toEqual([
    '2 websites are in no program of this stack: give --new FILE.yaml, or run "npx pulumi-tracking import --format yaml --only websites --out FILE.yaml".\n',
  ]);
});

test("what another installation has under the same id or name is new, and another spelling of a name is not", async () => {
  const here = await service();
  here.control.insertWebsite({ id: 7, domain: "made.example" });
  here.control.insertWebsite({ id: 8, domain: "theirs.example" });
  here.control.insertWebsite({ id: 9, domain: "shop.example" });
  const type = "pulumi:providers:tracking";
  const urn = `urn:pulumi:dev::shop::${type}::other`;
  const inputs = { analyticsBaseUrl: "https://stats.other.example", explicit: "other" };
  const provider: EngineStep = { op: "same", urn, newState: { urn, type, id: "p", inputs, custom: true } };
  const ofProvider = (name: string, id: string): EngineStep => {
    const newState = { ...state(name, { ...SHOP, domain: `${name}.example` }), id, provider: `${urn}::p` };
    return { op: "same", urn: urnOf(name), oldState: newState, newState };
  };
  const own = { ...state("shop", { ...SHOP, domain: "Shop.Example." }), id: "6" };
  const given = [
    provider,
    ofProvider("theirs", "7"),
    { op: "same", urn: urnOf("shop"), oldState: own, newState: own },
  ];
  const { accepting, printed } = await run(FILE, given, {}, undefined, here.settings);
  expect(await accepting).toBe(false);
  expect(printed).toEqual([expect.stringMatching(/^2 websites are in no program of this stack: /)]);
});

test("a deleted record keeps its declaration unless that is asked for", async () => {
  const urn = urnOf("shop");
  const gone: EngineStep[] = [
    { op: "refresh", urn, oldState: state("shop", SHOP), newState: state("shop", SHOP) },
    { op: "create", urn, newState: { ...state("shop", SHOP) } },
  ];
  const told = await run(FILE, gone, { apply: true });
  expect(await told.accepting).toBe(false);
  expect(told.printed.join("")).toContain(
    'a.yaml:2: website "shop": someone deleted it: --deleted removes these lines',
  );
  const removed = await run(FILE, gone, { apply: true, deleted: true });
  expect(await removed.accepting).toBe(true);
  expect(await removed.text("a.yaml")).toBe("websites:\n");
});

test("a file that two calls read, as for two accounts, is left to a person: its change would be one of both", async () => {
  const files = { "sites.yaml": "websites: { shop: { domain: shop.example } }\n" };
  const ours = steps("shop", SHOP, { ...SHOP, privacy: "public" }, SHOP);
  const inComponent = (urn: string) => urn.replace("tracking:index", "my:index:Account$tracking:index");
  const theirs = steps("shop", SHOP, SHOP, SHOP).map((step) => ({ ...step, urn: inComponent(step.urn) }));
  const { accepting, text } = await run(files, [...ours, ...theirs], { apply: true });
  expect((await rejection(accepting)).message).toMatch(
    /sites\.yaml is read by two calls of declareFrom, .*\. Edit it by hand, /,
  );
  expect(await text("sites.yaml")).toBe(files["sites.yaml"]);
});

test("what the state has already is not called the same as the program", async () => {
  const files = { "sites.yaml": "websites: { shop: { domain: shop.example } }\n" };
  const found = { ...SHOP, privacy: "public" };
  const { accepting, printed } = await run(files, steps("shop", found, found, SHOP));
  expect(await accepting).toBe(true);
  expect(printed.join("")).toMatch(/^Nothing to accept: what differs, .*"pulumi preview" shows it\.\n$/);
  const same = steps("shop", SHOP, SHOP, SHOP).map((step) => ({
    ...step,
    op: step.op.replace("update", "same"),
  }));
  const unchanged = await run(files, same);
  expect(await unchanged.accepting).toBe(true);
  expect(unchanged.printed).toEqual(["Nothing to accept: the service has what the program declares.\n"]);
});
