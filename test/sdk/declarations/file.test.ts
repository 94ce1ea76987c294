import * as pulumi from "@pulumi/pulumi";
import { describe, expect, it } from "vitest";
import { catalogue, pixel, website } from "../../../provider/resources";
import { validateResource } from "../../../provider/schema/validate";
import { readDeclarations } from "../../../sdk/declarations/file";
import { optionFields } from "../../../sdk/declarations/options";
import { banner, lookout } from "../../provider/made-up";
import { mistyped } from "./mistyped";
import { right, usual } from "./right";
import { spilling, unreadable, wrong } from "./wrong";

const secretOf = (key: string) => (["unsetPassword", "hunter2"].includes(key) ? undefined : `config ${key}`);
const read = (text: string, resources = catalogue) =>
  readDeclarations([{ file: "t.yaml", text }], resources, secretOf);

/** What is reported of a file: its mistakes, or what the provider's check says of values that a record may have already. */
function said(text: string): string[] {
  try {
    return read(text).flatMap(({ resource, path, values }) =>
      validateResource(resource, {}, values).mistakes.map((each) => `t.yaml:check: ${path}: ${each.text}`),
    );
  } catch (error) {
    if (pulumi.RunError.isInstance(error)) return error.message.split("\n");
    throw error;
  }
}

/** The lines about the file's places, without the first line if it counts them. */
function places(lines: string[]): string[] {
  const [head, ...rest] = lines;
  if (rest.length === 0) return [head?.replace("t.yaml:", "") ?? ""];
  expect(head).toBe(`t.yaml: ${rest.length} mistakes`);
  return rest.map((line) => line.replace("t.yaml:", ""));
}

it("files share lists and defaults, and each name is in one of them, of which a mistake names both", () => {
  const shared = {
    file: "shared.yaml",
    text: `lists: { office: [192.0.2.1] }
defaults: { websites: { excludeIps: office, options: { protect: false, aliases: [old] } } }
`,
  };
  const shops = {
    file: "shops.yaml",
    text: `websites:
  shop: { domain: a.b, options: { protect: true, retainOnDelete: true, deleteBeforeReplace: true, ignoreChanges: [privacy] } }
`,
  };
  const blogs = {
    file: "blogs.yaml",
    text: "websites:\n  blog: { domain: c.d, options: { dependsOn: [websites.shop] } }\n",
  };
  const every = {
    protect: true,
    retainOnDelete: true,
    deleteBeforeReplace: true,
    ignoreChanges: ["privacy"],
  };
  const declared = readDeclarations([blogs, shops, shared], catalogue, secretOf);
  expect(declared.map(({ name, values, options }) => [name, values.excludeIps, options])).toEqual([
    ["shop", ["192.0.2.1"], { ...every, aliases: ["old"] }],
    ["blog", ["192.0.2.1"], { protect: false, aliases: ["old"], dependsOn: ["websites.shop"] }],
  ]);
  const twice = {
    file: "twice.yaml",
    text: `defaults: { websites: { emailReports: maybe, colour: red }, shops: {} }
lists: { office: [] }
websites: { shop: { domain: b.b } }
`,
  };
  expect(() => readDeclarations([shared, shops, blogs, twice], catalogue, secretOf)).toThrow(
    `4 files: 5 mistakes
twice.yaml:1:39: defaults.websites: emailReports must be true or false, not "maybe"
twice.yaml:1:46: defaults.websites: unknown argument "colour"; Website takes ${Object.keys(website.inputs).join(", ")}, options, adopt
twice.yaml:1:61: defaults: unknown section "shops"; defaults takes websites, pixels
twice.yaml:2:10: lists.office is in shared.yaml:1:10 already: remove or rename one of them
twice.yaml:3:13: websites.shop is in shops.yaml:2:3 already: remove or rename one of them`,
  );
});

it("thousands of wrong names in dependsOn are compared with the file's for as many as are reported", () => {
  const paths = Array.from({ length: 3000 }, (_, at) => `websites.site-${at}`);
  let reads = 0;
  const counting = new Proxy(paths, {
    get: (all, name) => {
      if (name === Symbol.iterator) reads += 1;
      return Reflect.get(all, name);
    },
  });
  const { dependsOn } = optionFields(pixel, counting);
  const before = reads;
  const said = paths.map((_, at) => dependsOn.suggest?.(`websites.site${at}`));
  expect(reads - before).toBe(50);
  expect(said.filter((text) => text !== "")).toHaveLength(50);
  // One list that many resources share is one mistake.
  expect(dependsOn.suggest?.("websites.site0")).toBe(said[0]);
});

describe("a file that is right", () => {
  it.each(right.map((row) => [row.says, row] as const))("declares %s", (_says, { text, comes }) => {
    const came = read(text).map(({ path, values }) => [path, values] as const);
    expect(Object.fromEntries(came)).toEqual(comes);
  });

  it("may chain 6,000 resources, each after the one before, and a circle of them is reported in at most 2 KB", () => {
    const row = (at: number, before: number) =>
      `  p${at}: { name: p${at}, type: bing, value: a, options: { dependsOn: [pixels.p${before}] } }`;
    const rows = Array.from({ length: 5999 }, (_, at) => row(at + 1, at)).reverse();
    const chain = (first: string) => `pixels:\n${[...rows, first].join("\n")}\n`;
    const declared = read(chain("  p0: { name: p0, type: bing, value: a }"));
    expect(declared.map(({ path }) => path)).toEqual(
      Array.from({ length: 6000 }, (_, at) => `pixels.p${at}`),
    );
    const [circle = "", ...more] = said(chain(row(0, 5999)));
    expect(circle).toMatch(/dependsOn is circular: pixels\.p5999 > pixels\.p5998 > /);
    expect([circle.length <= 2048, more]).toEqual([true, []]);
  });

  it.each([
    ["lists of lists", "l", (at: number) => `l${at}: [${`l${at - 1}, `.repeat(9)}]`],
    ["aliases of aliases", "x-", (at: number) => `x-${at}: &a${at} [${`*a${at - 1}, `.repeat(9)}]`],
  ])("may have %s that stand for any number of values", (_what, name, row) => {
    const rows = Array.from({ length: 200 }, (_, at) => row(at + 1));
    const lists =
      name === "l"
        ? `lists:\n  l0: [192.0.2.1]\n  ${rows.join("\n  ")}`
        : `x-0: &a0 [192.0.2.1]\n${rows.join("\n")}\nlists: { l200: *a0 }`;
    const text = `${lists}\nwebsites: { a: { domain: a.b, excludeIps: [l200] } }`;
    expect(read(text)[0]?.values.excludeIps).toEqual(["192.0.2.1"]);
  });
});

describe("a file that is wrong", () => {
  it.each(wrong.map((row) => [row.says, row] as const))(
    "is all reported, with line and column: %s",
    (_says, { text, lines }) =>
      expect(places(said(text)).map((line, at) => line.slice(0, lines[at]?.length))).toEqual(lines),
  );

  it.each(unreadable)(
    "is no YAML, or declares nothing, and the message says where: %s",
    (_says, { text, begins }) =>
      expect(places(said(text))).toEqual(begins.map((each) => expect.stringContaining(each))),
  );

  it.each(mistyped)(
    "has one mistake reported in one sentence, at its place: %s",
    (_what, { from, to, place, says }) => {
      expect(usual).toContain(from);
      const lines = said(usual.replace(from, () => to));
      expect(lines).toEqual([expect.stringContaining(says)]);
      expect(lines[0]).toMatch(`t.yaml:${place}: `);
    },
  );

  it.each(spilling)("shows no part of a secret that stands in it %s", (_says, text) => {
    const lines = said(text);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("\n")).not.toContain("hunter2");
  });

  it("is reported in 50 lines at most, with the number of those left out", () => {
    const many = Array.from({ length: 60 }, (_, at) => `  p${at}: { name: P${at}, type: bing }`);
    const lines = said(`pixels:\n${many.join("\n")}`);
    expect([lines[0], lines.length, lines.at(-1)]).toEqual(["t.yaml: 60 mistakes", 52, "and 10 more"]);
  });

  it("is reported at once, even if a wrong value contains the same list any number of times", () => {
    const rows = Array.from({ length: 40 }, (_, at) => `x-${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}]`);
    const text = `x-0: &a0 [192.0.2.1]\n${rows.join("\n")}\nwebsites: { a: { domain: a.b, excludeIps: *a40 } }`;
    expect(said(text)).toEqual([expect.stringContaining("40:12: websites.a: excludeIps must be a list")]);
  });

  it.each(["excludeIps: ['192.0.2.1, 192.0.2.2']", "excludeParams: [a, '']"])(
    "is not told to write a list in place of a list's entry: %s",
    (args) => expect(said(`websites: { a: { domain: a.b, ${args} } }`)[0]).not.toContain("write"),
  );

  it("is reported without control characters, which reach a terminal", () => {
    expect(said('websites: { "a\\e[31m": {} }').join("")).not.toContain("\u001b");
  });
});

describe("resources of another catalogue", () => {
  const resources = [banner, lookout];

  it("have sections and arguments by their definitions alone", () => {
    const text = `lists: { us: [192.0.2.1] }
banners: { g: { title: G, code: 007 } }
lookouts: { l: { site: l.example, door: shut, phrase: { config: phrase }, ours: [us] } }
`;
    expect(read(text, resources).map(({ path, values }) => [path, values])).toEqual([
      ["banners.g", { title: "G", code: "007" }],
      ["lookouts.l", { site: "l.example", door: "shut", phrase: "config phrase", ours: ["192.0.2.1"] }],
    ]);
  });
});
