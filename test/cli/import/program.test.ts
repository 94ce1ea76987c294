import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { generateScript } from "../../../cli/import/script";
import { importLineFor } from "../../../cli/import/write-program";
import { byDomain, sharedLists, uniqueNames, type WrittenRecord } from "../../../cli/import/written-record";
import { generateYaml, unfitForYaml } from "../../../cli/import/yaml";
import type { ResourceForm } from "../../../cli/look/held";
import { createFilter, patternOf } from "../../../cli/patterns";
import { requireProject, usesPlugin } from "../../../cli/pulumi/project";
import { pixel, website } from "../../../provider/resources";
import { Project } from "./harness";

const typed = { language: "ts", isModule: false, form: "dynamic" } as const;
const plain = { privacy: "private", emailReports: false, excludeBots: true };
const office = ["192.0.2.0/24", "198.51.100.7"];
const long = ["a", "b"].map((each) => each.repeat(40));
const records: WrittenRecord[] = [
  { resource: website, name: "a", id: "1", state: { domain: "a.example", ...plain, excludeIps: office } },
  {
    resource: website,
    name: "b",
    id: "2",
    state: { domain: "b.example", ...plain, privacy: "password", excludeIps: office, excludeParams: long },
  },
  { resource: pixel, name: "odd", id: "1", state: { name: 'a"\n\u202Eb', type: "tomorrow", value: "1" } },
];

test("YAML can hold what only a new record could not have, and no list that a service lets by", () => {
  const locked = { domain: "a.example", ...plain, privacy: "password" };
  expect(unfitForYaml(website, locked)).toBeUndefined();
  expect(unfitForYaml(pixel, { name: "x", type: "tomorrow", value: "1" })).toBeUndefined();
  expect(unfitForYaml(website, { ...locked, excludeIps: ["198.51.100.*"] })).toBe("excludeIps");
});

describe("a written program", () => {
  test("states only what differs from the defaults, a shared list once, and any text as text", () => {
    expect(generateScript(records, typed)).toBe(`import * as tracking from "pulumi-tracking";

const excludeIps1 = ["192.0.2.0/24", "198.51.100.7"];

new tracking.Website("a", {
  domain: "a.example",
  excludeIps: excludeIps1,
});

new tracking.Website("b", {
  domain: "b.example",
  privacy: "password",
  excludeIps: excludeIps1,
  excludeParams: [
    "${long[0]}",
    "${long[1]}",
  ],
  // The service does not return the password; it keeps the current one.
});

new tracking.Pixel("odd", {
  name: "a\\"\\n\\u202eb",
  type: "tomorrow" as tracking.PixelArgs["type"],
  value: "1",
  // A new record could not have this: name must be ${pixel.inputs.name.expected}, not "a\\"\\n\\u202eb".
  // A new record could not have this: type must be ${pixel.inputs.type.expected}, not "tomorrow".
});
`);
  });

  test("is the same in JavaScript but for types and its first line, and in the plugin's form", () => {
    const [, ...rest] = generateScript(records, typed)
      .replace(/ as tracking.*,/, ",")
      .split("\n");
    const heads = [
      [{ ...typed, language: "js" }, 'const tracking = require("pulumi-tracking");'],
      [{ ...typed, language: "js", isModule: true }, 'import * as tracking from "pulumi-tracking";'],
      [{ ...typed, language: "js", form: "native" }, 'const tracking = require("pulumi-tracking/native");'],
    ] as const;
    for (const [kind, head] of heads) expect(generateScript(records, kind)).toBe([head, ...rest].join("\n"));
  });

  test("is the same as YAML, by the same names", async () => {
    expect(await generateYaml(records, "tracking.yaml")).toMatch(
      /^# yaml-language-server: \$schema=\S+\nlists:\n {2}excludeIps1:\n {4}- 192\.0\.2\.0\/24\n {4}- 198\.51\.100\.7\nwebsites:\n {2}a:\n {4}domain: a\.example\n {4}excludeIps:\n {6}- excludeIps1\n {2}# The service does not return the password; it keeps the current one\.\n {2}b:\n {4}domain: b\.example\n/,
    );
    expect(await generateYaml(records, "tracking.yaml")).toContain('name: "a\\"\\n\\u202eb"');
    const state = { name: "a\u{E0041}b", type: "bing", value: "1" };
    const schema = "node_modules/pulumi-tracking/dist/tracking.schema.json";
    const { folder } = await new Project({}).files({ [schema]: "{}" });
    const hidden = await generateYaml([{ resource: pixel, name: "p", id: "1", state }], `${folder}/in/a.yml`);
    expect(hidden).toContain(`$schema=../${schema}\n`);
    expect(hidden).not.toContain("\u{E0041}");
    expect(parse(hidden).pixels.p).toEqual(state);
  });
});

test("names are unique and plain, whatever a record is called", () => {
  const names = {
    "shop.example": "shop-example-2",
    "Shop Example": "shop-example-3",
    "\u{1F600}": "record",
    "\u202E": "record-2",
    Käse: "kase",
    constructor: "constructor",
    "пример.example": "пример-example",
    "例え.example": "例え-example",
    [`${"a".repeat(61)}.example`]: "a".repeat(60),
    // Letters of two units each.
    ["𠮷".repeat(61)]: "𠮷".repeat(60),
    "www.xn--mller-kva.example": "www-muller-example",
  };
  expect(Object.keys(names).map(uniqueNames(["shop-example"]))).toEqual(Object.values(names));
});

test("a list is on one line if that has at most 80 characters", () => {
  const linesOf = (length: number) => {
    const state = { domain: "a.example", ...plain, excludeParams: ["p".repeat(length)] };
    const script = generateScript([{ resource: website, name: "a", id: "1", state }], typed);
    return script.split("\n").slice(4, -2);
  };
  expect(linesOf(58).map((line) => line.length)).toEqual([80]);
  expect(linesOf(59)).toEqual(["  excludeParams: [", `    "${"p".repeat(59)}",`, "  ],"]);
});

test("a shared list is named by its argument, and never as a value that a list has", () => {
  const site = (name: string, lists: object): WrittenRecord => {
    return { resource: website, name, id: name, state: { domain: `${name}.example`, ...plain, ...lists } };
  };
  const [utm, others] = [["utm_source"], ["excludeIps1", "excludeParams1"]];
  const all = ["a", "b", "c"].map((name) => site(name, { excludeParams: utm, excludeIps: office }));
  const more = ["d", "e"].map((name) => site(name, { excludeParams: others }));
  const alone = site("f", { excludeParams: ["mine"], excludeIps: ["mine"] });
  const names = [...sharedLists([...more, ...all, alone]).values()];
  expect(names).toEqual(["excludeParams2", "excludeIps2", "excludeParams3"]);
});

test("a domain's records are together", () => {
  const named = (resource: typeof website | typeof pixel, key: string) =>
    ({ resource, name: key, id: "1", state: { [resource.key]: key } }) as WrittenRecord;
  const keys = ["a10.b.example", "c.example", "a2.b.example", "b.example"].map((key) => named(website, key));
  expect(byDomain([named(pixel, "Ads"), ...keys]).map(({ name }) => name)).toEqual([
    "b.example",
    "a2.b.example",
    "a10.b.example",
    "c.example",
    "Ads",
  ]);
});

const NODE = "name: shop\nruntime: nodejs\n";
const ESM = '{"type":"module"}';
test.each([
  ['import "./tracking";', "tracking.ts", { "index.ts": "" }],
  ['import "../tracking";', "tracking.ts", { "Pulumi.yaml": `${NODE}main: i.v2\n`, "i.v2/index.ts": "" }],
  ['import "./a/b";', "infra/a/b.ts", { "Pulumi.yaml": `${NODE}main: ./infra/index.ts\n` }],
  // ES modules that a compiler writes, and those that Node.js runs.
  ['import "./tracking.js";', "tracking.ts", { "package.json": ESM, "tsconfig.json": "{}", "index.ts": "" }],
  ['import "./tracking.ts";', "tracking.ts", { "package.json": ESM, "index.ts": "" }],
  ['import "./tracking.mjs";', "tracking.mjs", { "index.mjs": "" }],
  [
    'require("../tracking.js");',
    "tracking.js",
    { "package.json": '{"main":"in/main.js"}', "in/main.js": "" },
  ],
  [
    'import { declareFrom } from "pulumi-tracking"; declareFrom("../tracking.yaml");',
    "tracking.yaml",
    { "Pulumi.yaml": `\uFEFF${NODE}main: in\n`, "package.json": `\uFEFF${ESM}`, "in/index.ts": "" },
  ],
  ['require("pulumi-tracking").declareFrom("tracking.yaml");', "tracking.yaml", { "index.js": "" }],
])("the line %s adds %s to the program", async (line, out, files) => {
  const { folder } = await new Project({}).files({ "Pulumi.yaml": NODE, ...files });
  const format = out.endsWith(".yaml") ? "yaml" : out.endsWith("ts") ? "ts" : "js";
  const lineOf = async (form: ResourceForm) =>
    importLineFor(await requireProject(folder), `${folder}/${out}`, format, form);
  expect(await lineOf("dynamic")).toBe(line);
  expect(await lineOf("native")).toBe(line.replace('"pulumi-tracking"', '"pulumi-tracking/native"'));
});

test.each([
  [true, "its main file loads it", { "index.ts": 'import "pulumi-tracking/native";' }],
  [false, "only a test beside its main file does", { "native.test.ts": 'import "pulumi-tracking/native";' }],
  [
    true,
    "Pulumi.yaml names it",
    { "Pulumi.yaml": `${NODE}plugins: { providers: [{ name: tracking, path: a }] }\n` },
  ],
])("that a program uses the plugin is %s if %s", async (expected, _says, files) => {
  const { folder } = await new Project({}).files({ "Pulumi.yaml": NODE, ...files });
  expect(usesPlugin(await requireProject(folder))).toBe(expected);
});

/** Whether filters select each of these. */
function selects(match: string[] | undefined, exclude: string[], keys: string[]) {
  const isSelected = createFilter({ ...(match && { match }), exclude });
  return keys.map((key) => isSelected(key));
}

describe("filters", () => {
  test("take * for any text of domains and names, and leave out what is excluded", () => {
    const keys = ["shop.example.com", "a.b.example.com", "test-1.example.com", "x.org"];
    expect(selects(["*.example.com"], ["test-*"], keys)).toEqual([true, true, false, false]);
    expect(selects(undefined, [], ["Pixel / 1"])).toEqual([true]);
    expect(selects(["*"], ["*.b"], [".hidden", ".a.b"])).toEqual([true, false]);
    expect(selects([patternOf("@team")], [], ["@team", "team"])).toEqual([true, false]);
  });

  test.each(["bücher.example", "b\u0075\u0308cher.*", "BÜCHER.example", "xn--bcher-kva.*"])(
    "know a domain by both its forms: %s",
    (glob) => {
      const keys = ["xn--bcher-kva.example", "bücher.example", "other.example"];
      expect(selects([glob], [], keys)).toEqual([true, true, false]);
    },
  );

  test.each(["a[b]", "{a,b}", "Ads (old)", "a?", "a\\.b", "a|b", "^a$"])(
    "take every other sign as it is: %s",
    (name) => {
      const [isOwn, ...others] = selects([name], [], [name.toUpperCase(), "a", "b", "Ads old"]);
      expect([isOwn, others.includes(true)]).toEqual([true, false]);
    },
  );

  test("are not empty", () => expect(() => selects([" "], [], [])).toThrow(/^--match is empty\. Write /));
});
