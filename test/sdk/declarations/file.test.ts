import * as pulumi from "@pulumi/pulumi";
import { describe, expect, it } from "vitest";
import { catalogue, website } from "../../../provider/resources";
import { validateResource } from "../../../provider/schema/validate";
import { readDeclarations } from "../../../sdk/declarations/file";
import { banner, lookout } from "../../provider/made-up";
import { mistyped } from "./mistyped";
import { right, usual } from "./right";
import { spilling, unreadable, wrong } from "./wrong";

const secretOf = (key: string) => (key === "hunter2" ? undefined : `config ${key}`);
const read = (text: string, resources = catalogue) =>
  readDeclarations([{ file: "t.yaml", text }], resources, secretOf, () => {});

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
    text: "websites:\n  blog: { domain: c.d }\n",
  };
  const every = {
    protect: true,
    retainOnDelete: true,
    deleteBeforeReplace: true,
    ignoreChanges: ["privacy"],
  };
  const declared = readDeclarations([blogs, shops, shared], catalogue, secretOf, () => {});
  expect(declared.map(({ name, values, options }) => [name, values.excludeIps, options])).toEqual([
    ["blog", ["192.0.2.1"], { protect: false, aliases: ["old"] }],
    ["shop", ["192.0.2.1"], { ...every, aliases: ["old"] }],
  ]);
  const twice = {
    file: "twice.yaml",
    text: `defaults: { websites: { emailReports: maybe, colour: red }, shops: {} }
lists: { office: [] }
websites: { shop: { domain: b.b } }
`,
  };
  expect(() => readDeclarations([shared, shops, blogs, twice], catalogue, secretOf, () => {})).toThrow(
    `4 files: 5 mistakes
twice.yaml:1:39: defaults.websites: emailReports must be true or false, not "maybe"
twice.yaml:1:46: defaults.websites: unknown argument "colour"; Website takes ${Object.keys(website.inputs).join(", ")}, options, adopt
twice.yaml:1:61: defaults: unknown section "shops"; defaults takes websites, pixels
twice.yaml:2:10: lists.office is in shared.yaml:1:10 already: remove or rename one of them
twice.yaml:3:13: websites.shop is in shops.yaml:2:3 already: remove or rename one of them`,
  );
});

it("a file that can't be read hides no mistake of the others, but those that its lists may explain", () => {
  // Its mistake is further down than those of the next file, which come after it all the same.
  const text = `${"\n".repeat(200)}lists:\n  office: [192.0.2.1\nwebsites: {}\n`;
  const broken = { file: "lists.yaml", text };
  const shops = {
    file: "shops.yaml",
    text: "websites:\n  shop: { domain: a.b, excludeIps: [office], privacy: secret }\n  blog: { domain: a b }\n",
  };
  expect(() => readDeclarations([broken, shops], catalogue, secretOf, () => {})).toThrow(
    /^2 files: 3 mistakes\nlists\.yaml:20\d:\d: .*\nshops\.yaml:2:55: websites\.shop: privacy must .*\nshops\.yaml:3:19: websites\.blog: domain must .*$/,
  );
});

it("what only a record that has it may have is warned of at its place, all at once", () => {
  const text = `websites:
  shop: { domain: https://a.b/ }
pixels:
  ga: { name: GA, type: bingo, value: "1" }
  gb: { name: GB, type: bing, value: "1" }
`;
  const warned: string[] = [];
  const declared = readDeclarations([{ file: "t.yaml", text }], catalogue, secretOf, (line) =>
    warned.push(line),
  );
  expect(declared).toHaveLength(3);
  expect(warned).toEqual([
    expect.stringMatching(
      /^t\.yaml:2:19: websites\.shop: domain must be .*; refused unless the record has this value already$/,
    ),
    expect.stringMatching(
      /^t\.yaml:4:25: pixels\.ga: type must be .*; did you mean "bing"\?; refused unless/,
    ),
  ]);
});

it.each(right.map((row) => [row.says, row] as const))(
  "a file that is right declares %s",
  (_says, { text, comes }) => {
    const came = read(text).map(({ path, values }) => [path, values] as const);
    expect(Object.fromEntries(came)).toEqual(comes);
  },
);

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
