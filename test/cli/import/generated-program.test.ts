import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { Filter, parsePatterns } from "../../../cli/import/filter";
import type { NamedRecord } from "../../../cli/import/generated-program";
import { declaredInPulumiYaml, generatePulumiYaml } from "../../../cli/import/pulumi-yaml";
import { declaredInPython, generatePython } from "../../../cli/import/python";
import { declaredInScript, generateScript } from "../../../cli/import/script";
import { UniqueNames } from "../../../cli/import/unique-names";
import { declaredInYaml, fitForYaml, generateYaml } from "../../../cli/import/yaml";
import { pixel, website } from "../../../provider/resources";
import { goal, lookout } from "../../provider/made-up";

const typed = { language: "ts", isModule: false } as const;
const plain = { privacy: "private", emailReports: false, excludeBots: true };
const office = ["192.0.2.0/24", "198.51.100.7"];
const records: NamedRecord[] = [
  { resource: website, name: "a", id: "1", state: { domain: "a.example.com", ...plain, excludeIps: office } },
  {
    resource: website,
    name: "class",
    id: "2",
    state: { domain: "b.example.com", ...plain, privacy: "password", excludeIps: office },
  },
  { resource: pixel, name: "odd", id: "1", state: { name: 'a"\n\u202Eb', type: "tomorrow", value: "1" } },
];

describe("a written program", () => {
  test("says only what differs from the defaults, and a shared list once", () => {
    const text = generateScript(records, typed);
    expect(text).toContain('const sharedList1 = ["192.0.2.0/24", "198.51.100.7"];');
    expect(text).toContain(
      'export const a = new tracking.Website("a", {\n  domain: "a.example.com",\n  excludeIps: sharedList1,\n});',
    );
    expect(text).toContain("// The service does not return the password");
  });

  test("holds whatever people typed as text, and a type that only the service knows", () => {
    const text = generateScript(records, typed);
    expect(text).toContain('name: "a\\"\\n\\u202eb"');
    expect(text).toContain('type: "tomorrow" as tracking.PixelArgs["type"]');
    expect(text).toContain("export const classRecord =");
  });

  test("treats a resource that nobody foresaw by its definition: words of the service, and hidden secrets", () => {
    const locked = {
      ...lookout,
      validateCreate: (args: Readonly<Record<string, unknown>>) =>
        args.phrase === undefined ? { field: "phrase", reason: "is needed" } : undefined,
    };
    const text = generateScript(
      [
        { resource: goal, name: "g", id: "1", state: { title: "G", code: "c", source: "tomorrow" } },
        { resource: goal, name: "h", id: "2", state: { title: "H", code: "c", source: "facebook" } },
        { resource: locked, name: "l", id: "3", state: { site: "l.example" } },
      ],
      typed,
    );
    expect(text).toContain('source: "tomorrow" as tracking.GoalArgs["source"],');
    expect(text).toContain('source: "facebook",');
    expect(text).toContain("// The service does not return the phrase; it keeps the current one.");
  });

  test("is the same as YAML, by the same names", async () => {
    const text = await generateYaml(records);
    expect(text).toMatch(/^# yaml-language-server: \$schema=/);
    expect(text).toContain(
      "  # The service does not return the password; it keeps the current one.\n  class:\n    domain: b",
    );
    expect(text).toContain("lists:\n  sharedList1:\n    - 192.0.2.0/24");
    expect(text).toContain(
      "websites:\n  a:\n    domain: a.example.com\n    excludeIps:\n      - sharedList1",
    );
  });
});

/** What Pulumi YAML takes for an expression. */
const EXPRESSION = ["$", "{shop}"].join("");

describe("a program in another language", () => {
  test("in Python says only what differs, in its own spelling, and is read back", () => {
    const text = generatePython(records);
    expect(text).toMatch(
      /^import pulumi_tracking as tracking\n\nshared_list1 = \["192\.0\.2\.0\/24", "198\.51\.100\.7"\]\n/,
    );
    expect(text).toContain(
      'a = tracking.Website(\n    "a",\n    domain="a.example.com",\n    exclude_ips=shared_list1,\n)\n',
    );
    expect(text).toContain('class_record = tracking.Website(\n    "class",');
    expect(text).toContain("    # The service does not return the password; it keeps the current one.\n");
    expect(text).toContain('name="a\\"\\n\\u202eb",\n    type="tomorrow",');
    expect(declaredInPython(text)).toEqual([
      { type: "Website", name: "a", key: "a.example.com" },
      { type: "Website", name: "class", key: "b.example.com" },
      { type: "Pixel", name: "odd", key: 'a"\n\u202Eb' },
    ]);
    const [first] = records;
    const more = generatePython(first ? [{ ...first, name: "a-2" }] : [], text);
    expect(more.startsWith(text)).toBe(true);
    expect(more).toContain('a_2 = tracking.Website(\n    "a-2",');
  });

  test("in Pulumi YAML has no expression where a record has a text that looks like one", async () => {
    const odd = {
      resource: pixel,
      name: "odd",
      id: "1",
      state: { name: EXPRESSION, type: "bing", value: "1" },
    };
    const text = await generatePulumiYaml([...records.slice(0, 2), odd]);
    expect(parse(text).resources).toEqual({
      a: { type: "tracking:Website", properties: { domain: "a.example.com", excludeIps: office } },
      class: {
        type: "tracking:Website",
        properties: { domain: "b.example.com", privacy: "password", excludeIps: office },
      },
      odd: { type: "tracking:Pixel", properties: { name: `$${EXPRESSION}`, type: "bing", value: "1" } },
    });
    expect(text).toContain(
      "  # The service does not return the password; it keeps the current one.\n  class:",
    );
    expect((await declaredInPulumiYaml(text)).map(({ key }) => key)).toEqual([
      "a.example.com",
      "b.example.com",
      EXPRESSION,
    ]);
    const [third] = records.slice(2);
    const more = await generatePulumiYaml(third ? [{ ...third, name: "late" }] : [], text);
    expect(Object.keys(parse(more).resources)).toEqual(["a", "class", "odd", "late"]);
  });
});

test("a YAML file that more is added to begins with the schema's line, once", async () => {
  const [first, second] = records.slice(0, 2);
  const before = "# Mine.\nwebsites:\n  b:\n    domain: b.example.com\n";
  const text = await generateYaml(first ? [first] : [], before);
  expect(text).toMatch(/^# yaml-language-server: \$schema=\S+\n# Mine\.\n/);
  expect(text).toContain("  b:\n    domain: b.example.com\n");
  const more = await generateYaml(second ? [second] : [], text);
  expect(more.match(/yaml-language-server/g)).toHaveLength(1);
  expect(more.startsWith("# yaml-language-server: ")).toBe(true);
});

test("a shared list has no name that one of the values has", async () => {
  const lists = { excludeParams: ["sharedList1"], excludeIps: office };
  const twice = ["a", "b"].map((name) => ({
    resource: website,
    name,
    id: name,
    state: { domain: `${name}.example.com`, ...plain, ...lists },
  }));
  expect(await generateYaml(twice)).toContain("lists:\n  sharedList2:\n    - sharedList1\n  sharedList3:");
});

describe("names", () => {
  test("are unique and plain, whatever a record is called", () => {
    const names = new UniqueNames(["shop-example-com"]);
    const keys = ["shop.example.com", "Shop Example.com", "\u{1F600}", "\u202E", "Käse"];
    expect(keys.map((key) => names.forResource(key))).toEqual([
      "shop-example-com-2",
      "shop-example-com-3",
      "record",
      "record-2",
      "kase",
    ]);
  });

  test("of variables are ones that a program can have", () => {
    const names = new UniqueNames();
    expect(["shop-example-com", "24-de", "class"].map((name) => names.forVariable(name))).toEqual([
      "shopExampleCom",
      "the24De",
      "classRecord",
    ]);
  });
});

describe("a program in JavaScript", () => {
  test("is CommonJS or an ES module, without types", () => {
    const common = generateScript(records, { language: "js", isModule: false });
    expect(common).toContain('const tracking = require("pulumi-tracking");');
    expect(common).toContain('exports.a = new tracking.Website("a", {');
    const module = generateScript(records, { language: "js", isModule: true });
    expect(module).toContain('import * as tracking from "pulumi-tracking";');
    expect(module).toContain('export const a = new tracking.Website("a", {');
    for (const text of [common, module]) expect(text).toContain('type: "tomorrow",');
  });
});

describe("more records", () => {
  const before = records.slice(0, 2);
  const after: NamedRecord[] = before.map((each) => ({
    ...each,
    name: `${each.name}-2`,
    state: { ...each.state, excludeIps: ["203.0.113.9"] },
  }));

  test("come to a program under names that it does not have, and nothing of it is lost", () => {
    const first = generateScript(before, typed);
    const both = generateScript(after, typed, first);
    expect(both.startsWith(first.trimEnd())).toBe(true);
    expect(both).toContain('const sharedList2 = ["203.0.113.9"];');
    expect(both.match(/import \* as tracking/g)).toHaveLength(1);
    expect(declaredInScript(both).map(({ name }) => name)).toEqual(["a", "class", "a-2", "class-2"]);
  });

  test("come to a file of declarations in the same way, and what people wrote stays", async () => {
    const first = (await generateYaml(before)).replace("websites:", "# Mine.\nwebsites:");
    const both = await generateYaml(after, first);
    expect(both).toContain("# Mine.\nwebsites:\n  a:\n");
    expect(both).toContain("sharedList2:\n    - 203.0.113.9\n");
    expect((await declaredInYaml(both)).map(({ name }) => name)).toEqual(["a", "class", "a-2", "class-2"]);
  });

  test("are known by what was written, whatever they are called", async () => {
    const names = ['a"\n\u202Eb', "\u{1F600}\u{E0001}", "\\u0041", "tab\there"];
    const odd = names.map((name, at): NamedRecord => {
      return { resource: pixel, name: `p${at}`, id: String(at), state: { name, type: "bing", value: "1" } };
    });
    expect(declaredInScript(generateScript(odd, typed)).map(({ key }) => key)).toEqual(names);
    expect((await declaredInYaml(await generateYaml(odd))).map(({ key }) => key)).toEqual(names);
  });
});

test("a value that a file may not have is left out of it", () => {
  const state = { domain: "a.example.com", ...plain, excludeIps: ["198.51.100.*"] };
  expect(fitForYaml(website, state)).toEqual({
    state: { domain: "a.example.com", ...plain },
    omitted: ['excludeIps ["198.51.100.*"]'],
  });
  expect(fitForYaml(pixel, { name: "GA", type: "tomorrow", value: "1" }).omitted).toEqual([]);
});

function filter(match: string[], exclude: string[] = []) {
  const made = new Filter(parsePatterns("--match", match), parsePatterns("--exclude", exclude));
  return {
    wants: (key: string) => made.matches(key),
    get unfit() {
      return made.unusedPatterns;
    },
    get matchesNothing() {
      return made.matchesNothing;
    },
  };
}

describe("filters", () => {
  test("take globs over domains and names, and leave out what is excluded", () => {
    const { wants } = filter(["*.example.com"], ["test-*"]);
    expect(["shop.example.com", "a.b.example.com", "test-1.example.com", "x.org"].map(wants)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("without a glob take everything", () => expect(filter([]).wants("Pixel / 1")).toBe(true));

  test.each(["bücher.example", "b\u0075\u0308cher.*", "BÜCHER.example", "xn--bcher-kva.*", "b?cher.example"])(
    "know a domain by both its forms: %s",
    (glob) => {
      for (const key of ["xn--bcher-kva.example", "bücher.example"])
        expect(filter([glob]).wants(key), key).toBe(true);
      expect(filter([glob]).wants("other.example")).toBe(false);
    },
  );

  test("tell which of them fit nothing", () => {
    const some = filter(["a.*", "b.*"], ["c.*"]);
    some.wants("a.example");
    expect(some.unfit).toEqual(['--match "b.*" matches no record', '--exclude "c.*" matches no record']);
    expect(some.matchesNothing).toBe(false);
    expect(filter(["a.*"]).matchesNothing).toBe(true);
    expect(filter([], ["c.*"]).matchesNothing).toBe(false);
  });

  test.each(["[", "a[b", "{a,b", "(", ""])("that are no pattern are refused: %j", (glob) => {
    expect(() => filter([glob])).toThrow(/^--match (is empty|.* is not a valid pattern: .*)\. Write \*/);
  });

  test("take a bracket for itself where it is written so", () => {
    expect(filter(["Pixel \\[1\\]"]).wants("Pixel [1]")).toBe(true);
  });
});
