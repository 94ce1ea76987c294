import * as pulumi from "@pulumi/pulumi";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { RESOURCE_HINTS } from "../../provider/hosts/marshal";
import { IMPORT } from "../../provider/lifecycle/advice";
import { pixel } from "../../provider/resources";
import { Website } from "../../sdk";
import { dynamicForm } from "../../sdk/form";
import * as native from "../../sdk/native";
import { nativeForm } from "../../sdk/native-form";
import { superArguments } from "../../sdk/resource";
import { banner, lookout } from "../provider/made-up";
import { asBuilt, connected, engineWithout, Group } from "./lookups-harness";

beforeEach(() => engineWithout());

const args = { site: "l.example", phrase: "open sesame" };
/** Where a program may take the plugin from, unlike the package's own place. */
const place = { version: "4.5.6", pluginDownloadURL: "https://own.example" };

test("the program's own options are kept beside ours, including over the plugin, and a secret becomes one", async () => {
  asBuilt("https://ours.example");
  const own = { aliases: ["urn:of:old"], additionalSecretOutputs: ["site"], ...place };
  const [type, , props, options] = superArguments(lookout, native.Website.form, "tower", args, own);
  const other = "urn:pulumi:stack::project::pulumi-nodejs:dynamic/tracking:Lookout::tower";
  const kept = { ...place, aliases: ["urn:of:old", other], additionalSecretOutputs: ["site", "phrase"] };
  expect([type, options]).toMatchObject(["tracking:index:Lookout", kept]);
  expect(await pulumi.isSecret(props?.phrase)).toBe(true);
  const [, , plain] = superArguments(banner, native.Website.form, "sign-up", { title: "Sign-up" }, {});
  expect([props?.deletionProtection, plain]).toEqual([false, { title: "Sign-up", source: "bing" }]);
  const guarded = { ...args, deletionProtection: true };
  expect(superArguments(lookout, native.Website.form, "tower", guarded, own)[2]).toHaveProperty(
    "deletionProtection",
    true,
  );
  const dynamic = superArguments(lookout, dynamicForm, "tower", args, own)[3];
  const plugins = "urn:pulumi:stack::project::tracking:index:Lookout::tower";
  expect(dynamic).toMatchObject({
    aliases: ["urn:of:old", plugins],
    additionalSecretOutputs: ["site", "phrase"],
  });
  // Of a child, only the engine knows the URN.
  const child = superArguments(lookout, dynamicForm, "tower", args, { parent: new Group("group") })[3];
  expect(child?.aliases).toEqual([{ type: "tracking:index:Lookout" }]);
});

test("a provider over the plugin keeps the program's own options, and hides its settings from exports", () => {
  asBuilt("https://ours.example");
  const provider = new native.Provider("agency", { apiKey: "key" }, { ...place, protect: true });
  expect(provider).toMatchObject({
    __pulumiType: "pulumi:providers:tracking",
    __protect: true,
    __version: "4.5.6",
    __pluginDownloadURL: "https://own.example",
  });
  expect(provider).toHaveProperty("apiKey");
  // Else a program that exports the provider would store its settings.
  expect(Object.keys(provider).filter((each) => /apiKey|trackingSettings/.test(each))).toEqual([]);
});

test("what is read by its id is not asked for by its key too, and gets no defaults", () => {
  const asked = (opts: object) => superArguments(lookout, dynamicForm, "tower", args, opts)[2];
  expect(asked({ id: "7" })).toMatchObject({ site: undefined, door: undefined, weekly: undefined });
  expect(asked({})).toMatchObject({ site: "l.example", door: "open", weekly: true });
  const [, , props, options] = superArguments(lookout, dynamicForm, "other", {}, { id: "7" });
  expect([props?.phrase, options?.additionalSecretOutputs]).toEqual([undefined, []]);
});

test("a second resource with a key is refused in the line that declares it", () => {
  connected("127.0.0.1:40001");
  const declare = (name: string) => superArguments(lookout, dynamicForm, name, args, {});
  declare("tower");
  expect(() => declare("hill")).toThrow(/is declared twice in this program, by "tower" and "hill"/);
});

test("an argument that is null is omitted, and the order of a replacement is the program's, if it says one", () => {
  const nulls = { title: "Sign-up", code: null, source: null };
  const [, , props] = superArguments(banner, dynamicForm, "sign-up", nulls, {});
  expect(props).toMatchObject({ title: "Sign-up", source: "bing" });
  expect(props).not.toHaveProperty("code");
  const deletesFirst = (opts: object) =>
    superArguments(pixel, dynamicForm, "ga", { name: "GA" }, opts)[3]?.deleteBeforeReplace;
  expect([deletesFirst({}), deletesFirst({ deleteBeforeReplace: false })]).toEqual([true, false]);
});

test("a resource is known by its type in either form, and no other is", () => {
  const website = (type: string) => Website.isInstance({ __pulumiType: type });
  expect(website("pulumi-nodejs:dynamic/tracking:Website")).toBe(true);
  expect(website("tracking:index:Website")).toBe(true);
  expect(website("tracking:index:Pixel")).toBe(false);
  expect(native.Website.isInstance({ __pulumiType: "pulumi-nodejs:dynamic/tracking:Website" })).toBe(true);
});

test("the provider gets the resource's URN, with the types of its parents", () => {
  const outer = new pulumi.ComponentResource("test:index:Outer", "outer");
  const parent = new Group("group", { parent: outer });
  const told = (opts: object) =>
    JSON.parse(String(dynamicForm.properties(lookout, "tower", opts)[RESOURCE_HINTS]));
  const type = "pulumi-nodejs:dynamic/tracking:Lookout";
  const within = `urn:pulumi:stack::project::test:index:Outer$test:index:Group$${type}::tower`;
  expect(told({ parent })).toEqual({ urn: within });
  expect(told({})).toEqual({ urn: `urn:pulumi:stack::project::${type}::tower` });
  // A program may name its stack as the parent, which no URN has.
  const stack = new pulumi.ComponentResource(pulumi.runtime.rootPulumiStackTypeName, "project-stack");
  expect(told({ parent: stack })).toEqual(told({}));
});

test("the provider gets the names of the arguments that the program marks as secret, and waits for no others", async () => {
  const told = (props: object) => dynamicForm.properties(lookout, "tower", {}, { ...props })[RESOURCE_HINTS];
  expect(told({ site: "l.example", phrase: pulumi.secret("sesame") })).not.toContain("secrets");
  const site = pulumi.output(pulumi.secret("l.example"));
  const known = JSON.parse(
    String(
      await told({
        site,
        ours: [pulumi.secret("192.0.2.1")],
        weekly: pulumi.output(true),
        phrase: pulumi.secret("sesame"),
      }),
    ),
  );
  expect(known.secrets).toEqual(["site", "ours"]);
});

test("the option import is refused, with the command that imports", () => {
  const declare = () => new Website("shop", { domain: "shop.example" }, { import: "1" });
  expect(declare).toThrow(
    new RegExp(`^Website "shop": the resource option "import" .* "${IMPORT}" instead$`),
  );
});

test.each([
  ["dynamic", Website],
  ["native", native.Website],
])(
  "of the stack of a resource, the %s form keeps the program's lines, and the program's own errors keep theirs",
  (_, Class) => {
    asBuilt();
    const { stackTraceLimit, prepareStackTrace } = Error;
    const stacks: string[][] = [];
    onTestFinished(() => void Object.assign(Error, { prepareStackTrace }));
    // The engine's SDK reads the stack of each of its promises at once.
    Error.prepareStackTrace = (_, sites) => void stacks.push(sites.map((site) => `${site.getFileName()}`));
    const own = Error.prepareStackTrace;
    class Site extends pulumi.ComponentResource {
      constructor(name: string) {
        super("test:index:Site", name);
        stacks.length = 0;
        new Class("shop", { domain: "shop.example" }, { parent: this });
      }
    }
    new Site("site");
    expect(stacks.length).toBeGreaterThan(20);
    // But of one: where the program declares it, above which the SDK has read its own lines and the class's.
    const [stack, ...more] = stacks.filter(({ length }) => length > 1);
    expect(more).toEqual([]);
    expect(stack?.slice(5)).toEqual([__filename, __filename]);
    expect(() => new Class("", { domain: "shop.example" })).toThrow("Missing resource name");
    expect([Error.stackTraceLimit, Error.prepareStackTrace]).toEqual([stackTraceLimit, own]);
  },
);

/** What the engine is asked to warn of, until the test ends. */
function warnings(): string[] {
  const said: string[] = [];
  const log = vi.spyOn(pulumi.log, "warn").mockImplementation(async (line) => void said.push(line));
  onTestFinished(() => log.mockRestore());
  return said;
}

test("options without effect are named", () => {
  const said = warnings();
  const useless = { replaceOnChanges: ["privacy"], customTimeouts: { create: "5m" } };
  new Website("shop", { domain: "shop.example" }, useless);
  const named = said.map((line) => /^Website "shop": the resource option "(\w+)"/.exec(line)?.[1]);
  expect(named).toEqual(Object.keys(useless));
});

test("a key that the stack's config stores in plain text is warned of, once", async () => {
  const said = warnings();
  const config = { "tracking:apiKey": "plain", "tracking:dataApiKey": "sealed" };
  pulumi.runtime.setAllConfig(config, ["tracking:dataApiKey"]);
  vi.resetModules();
  const fresh = await import("../../sdk/index.js");
  for (const name of ["shop", "blog"]) new fresh.Website(name, { domain: `${name}.example` });
  expect(said).toEqual([expect.stringMatching(/^tracking:apiKey is stored in plain text/)]);
});

test("over the plugin, a resource asks for the version of the package unless the program names another", () => {
  asBuilt();
  expect([nativeForm.options(), nativeForm.options({ version: "4.5.6" })]).toEqual([
    { version: "1.2.3" },
    { version: "4.5.6" },
  ]);
});
