import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { catalogue } from "../../../provider/resources";
import { pixel } from "../../../provider/resources/pixel";
import { website } from "../../../provider/resources/website";
import { fieldOf, type Resource, type Values } from "../../../provider/schema/resource";
import type { TextFile } from "../../../sdk/declarations/document";
import { type Edit, editDeclarations } from "../../../sdk/declarations/edit";
import { readDeclarations } from "../../../sdk/declarations/file";
import { parametersOf } from "../../model/sizes";

const read = (files: readonly TextFile[]) =>
  readDeclarations(
    files,
    catalogue,
    () => "secret",
    () => {},
  );

/** The texts of files after changes to `shop`, or to those that are named. */
function edited(texts: readonly string[], edits: Record<string, Values | undefined>): string[] {
  const files = texts.map((text, index) => ({ file: `${index}.yaml`, text }));
  const resourceOf = (name: string) => (name.startsWith("p-") ? pixel : website);
  const all = Object.entries(edits).map(
    ([name, values]): Edit => ({
      resource: resourceOf(name),
      name,
      values: values ?? {},
      isDeleted: values === undefined,
    }),
  );
  const { texts: after, unfit } = editDeclarations(files, catalogue, all);
  expect(unfit).toEqual([]);
  return after.map(({ text }) => text);
}
const one = (text: string, values: Values) => edited([text], { shop: values }).join("");

describe("in place, with all else as it was,", () => {
  test.each<[string, string, Values, string]>([
    [
      "a value keeps its quotes and its comment",
      "websites:\n  shop: # ours\n    domain:   'a.example'  # a\n    privacy: \"public\" # b\n",
      { privacy: "password", domain: "b.example" },
      "websites:\n  shop: # ours\n    domain:   'b.example'  # a\n    privacy: \"password\" # b\n",
    ],
    [
      "a value that becomes the default goes, and its comment stays",
      "websites:\n  shop:\n    domain: a.example\n    privacy: public # b\n    emailReports: true\n    excludeBots: true\n",
      { privacy: "private", emailReports: false },
      "websites:\n  shop:\n    domain: a.example\n    # b\n    excludeBots: true\n",
    ],
    [
      "a value that was omitted is written beside the domain",
      "websites:\n  shop:\n    # c\n    domain: a.example # d\n    options: { protect: false }\n\n  blog: { domain: b.example }\n",
      { emailReports: true },
      "websites:\n  shop:\n    # c\n    domain: a.example # d\n    emailReports: true\n    options: { protect: false }\n\n  blog: { domain: b.example }\n",
    ],
    [
      "one line stays one line",
      "websites:\n  shop: { domain: a.example, privacy: public, excludeBots: false }\n",
      { privacy: "private", excludeBots: true, emailReports: true },
      "websites:\n  shop: { domain: a.example, emailReports: true }\n",
    ],
    [
      "what is new stands beside the domain in one line too",
      "websites:\n  shop: { domain: a.example, privacy: public }\n",
      { emailReports: true },
      "websites:\n  shop: { domain: a.example, emailReports: true, privacy: public }\n",
    ],
    [
      "a list loses and gets entries",
      "websites:\n  shop: { domain: a.example, excludeIps: [192.0.2.1, 192.0.2.2, 192.0.2.3] }\n",
      { excludeIps: ["192.0.2.1", "192.0.2.3", "192.0.2.4"] },
      "websites:\n  shop: { domain: a.example, excludeIps: [192.0.2.1, 192.0.2.3, 192.0.2.4] }\n",
    ],
    [
      "a list in lines does too",
      "websites:\n  shop:\n    domain: a.example\n    excludeIps:\n      - 192.0.2.1 # one\n      - 192.0.2.2\n      # three\n      - 192.0.2.3\n  blog: { domain: b.example }",
      { excludeIps: ["192.0.2.3", "2001:db8::/32"] },
      "websites:\n  shop:\n    domain: a.example\n    excludeIps:\n      # one\n      # three\n      - 192.0.2.3\n      - 2001:db8::/32\n  blog: { domain: b.example }",
    ],
    [
      "a list over several lines loses its last entry, whatever its comment has",
      "websites:\n  shop:\n    domain: a.example\n    excludeIps: [\n      192.0.2.1, # one\n      192.0.2.2 # two, [y]\n    ]\n",
      { excludeIps: ["192.0.2.1"] },
      "websites:\n  shop:\n    domain: a.example\n    excludeIps: [\n      192.0.2.1 # one\n      # two, [y]\n    ]\n",
    ],
    [
      "a new line ends as the others do",
      "websites:\r\n  shop:\r\n    domain: a.example\r\n    privacy: public\r\n",
      { emailReports: true },
      "websites:\r\n  shop:\r\n    domain: a.example\r\n    emailReports: true\r\n    privacy: public\r\n",
    ],
    [
      "a list that someone has emptied is empty",
      "websites:\r\n  shop:\r\n    domain: a.example\r\n    excludeIps: # which\r\n      - 192.0.2.1\r\n",
      { excludeIps: [] },
      "websites:\r\n  shop:\r\n    domain: a.example\r\n    excludeIps: [] # which\r\n",
    ],
    [
      "what follows from the defaults is written at the resource",
      "defaults: { websites: { emailReports: True, privacy: public } }\nwebsites:\n  shop: { domain: a.example, privacy: private }\n  blog: { domain: b.example }\n",
      { emailReports: false, privacy: "public" },
      "defaults: { websites: { emailReports: True, privacy: public } }\nwebsites:\n  shop: { domain: a.example, emailReports: false }\n  blog: { domain: b.example }\n",
    ],
    [
      "a shared list stays as long as others have it so",
      "lists: { office: [192.0.2.1, 192.0.2.2] }\nwebsites:\n  shop: { domain: a.example, excludeIps: [office, 192.0.2.9] }\n  blog: { domain: b.example, excludeIps: office }\n",
      { excludeIps: ["192.0.2.1", "192.0.2.9", "192.0.2.7"] },
      "lists: { office: [192.0.2.1, 192.0.2.2] }\nwebsites:\n  shop: { domain: a.example, excludeIps: [192.0.2.9, 192.0.2.1, 192.0.2.7] }\n  blog: { domain: b.example, excludeIps: office }\n",
    ],
    [
      "what a list gets that is named beside others is written beside its name",
      "lists: { office: [192.0.2.1] }\nwebsites:\n  shop: { domain: a.example, excludeIps: [office, 192.0.2.9] }\n",
      { excludeIps: ["192.0.2.1", "192.0.2.9", "192.0.2.7"] },
      "lists: { office: [192.0.2.1] }\nwebsites:\n  shop: { domain: a.example, excludeIps: [office, 192.0.2.9, 192.0.2.7] }\n",
    ],
  ])("%s", (_, before, values, after) => {
    expect(one(before, values)).toBe(after);
  });

  test("a shared list changes if all that use it changed alike, in another file too", () => {
    const lists = "lists:\n  office: [192.0.2.1, 192.0.2.2] # all\n";
    const sites = "websites:\n  shop: { domain: a.example, excludeIps: [office, 192.0.2.9] }\n";
    const others = "websites:\n  blog:\n    domain: b.example\n    excludeIps: office\n";
    const after = edited([lists, sites, others], {
      shop: { excludeIps: ["192.0.2.9", "192.0.2.2", "192.0.2.5"] },
      blog: { excludeIps: ["192.0.2.5", "192.0.2.2"] },
    });
    expect(after).toEqual(["lists:\n  office: [192.0.2.2, 192.0.2.5] # all\n", sites, others]);
    // One that goes with this change uses it no more.
    expect(edited([lists, sites, others], { shop: undefined, blog: { excludeIps: ["192.0.2.2"] } })).toEqual([
      "lists:\n  office: [192.0.2.2] # all\n",
      "websites:\n",
      others,
    ]);
  });

  test("a pixel's text is quoted if YAML would read it otherwise", () => {
    const text = "pixels:\n  p-a: { name: A, type: bing, value: AW-1 }\n";
    const [after] = edited([text], { "p-a": { name: "B: c, [d] # e", value: "null", type: "x" } });
    expect(read([{ file: "a", text: after ?? "" }])[0]?.values).toEqual({
      name: "B: c, [d] # e",
      value: "null",
      type: "x",
    });
    const [turned] = edited([text], { "p-a": { value: "a\u202eb" } });
    expect(turned).toContain('value: "a\\u202eb"');
  });

  test("a declaration goes with all its lines, the last one of a section too", () => {
    const text =
      "websites:\n  shop:\n    domain: a.example\n    excludeIps:\n      - 192.0.2.1\n  # b\n  blog: { domain: b.example }\n";
    expect(edited([text], { shop: undefined })).toEqual([
      "websites:\n  # b\n  blog: { domain: b.example }\n",
    ]);
    expect(edited([text], { shop: undefined, blog: undefined })).toEqual(["websites:\n"]);
  });

  test("the comments on a declaration that goes, go too, and those on others stay", () => {
    const text = `websites:
  # Our first.
  blog: { domain: b.example } # b

  # The shop.
  # Ask Ada.
  shop: # shop
    domain: a.example # a
    # Where?
    excludeIps: # ours
      - 192.0.2.1 # one
    # privacy: public
  # The help.
  help:
    domain: c.example
`;
    expect(edited([text], { shop: undefined })).toEqual([
      "websites:\n  # Our first.\n  blog: { domain: b.example } # b\n\n  # The help.\n  help:\n    domain: c.example\n",
    ]);
    const flow =
      "websites: { shop: { domain: a.example, # a\n  privacy: public }, # b\n  blog: { domain: b.example } } # c\n";
    expect(edited([flow], { shop: undefined })).toEqual([
      "websites: {\n  # b\n  blog: { domain: b.example } } # c\n",
    ]);
  });

  test("a text over two lines is replaced in one, in braces too", () => {
    const text =
      'pixels:\n  p-a: { name: "A\n      B", type: bing, value: AW-1 }\n  p-b:\n    name: C\n      D # d\n    type: bing\n    value: |-\n      AW-2\n';
    expect(edited([text], { "p-a": { name: "E" }, "p-b": { name: "F", value: "G" } })).toEqual([
      'pixels:\n  p-a: { name: "E", type: bing, value: AW-1 }\n  p-b:\n    name: F      # d\n    type: bing\n    value: G\n',
    ]);
  });
});

test("a type that only a newer service knows is written: the record has it already", () => {
  const text = "pixels:\n  p-a: { name: A, type: bing, value: AW-1 }\n";
  expect(edited([text], { "p-a": { type: "newer" } })).toEqual([text.replace("bing", "newer")]);
});

test("what is not in the files, what a declaration can't say, and what has no domain beside it, is left to a person", () => {
  const defaults = "defaults: { websites: { domain: b.example } }\n";
  const text = `${defaults}websites:\n  shop: { domain: a.example }\n  help: { privacy: public }\n`;
  const files = [{ file: "a.yaml", text }];
  const edits: Edit[] = [
    { resource: website, name: "help", values: { emailReports: true } },
    { resource: website, name: "blog", values: { privacy: "public" } },
    { resource: website, name: "shop", values: { excludeIps: ["not an address"] } },
  ];
  const { texts, unfit, placeOf } = editDeclarations(files, catalogue, edits);
  expect(texts).toEqual(files);
  expect(unfit).toEqual(edits);
  expect(edits.map(placeOf)).toEqual(["a.yaml:4", undefined, "a.yaml:3"]);
});

test("a parameter that has a shared list's name is left to a person, since a file would say the list", () => {
  const lists = "lists: { office: [ref], home: [q] }\n";
  // The second would be in a list, and that is a mistake.
  for (const [own, name] of [
    ["[q]", "office"],
    ["home", "office"],
  ]) {
    const text = `${lists}websites:\n  shop: { domain: a.example, excludeParams: ${own} }\n`;
    const files = [{ file: "a.yaml", text }];
    const edit: Edit = { resource: website, name: "shop", values: { excludeParams: ["q", name] } };
    const { texts, unfit } = editDeclarations(files, catalogue, [edit]);
    expect([texts, unfit]).toEqual([files, [edit]]);
  }
});

test("a value that does not fit is left to a person, and the others are written", () => {
  const names = Array.from({ length: 9 }, (_, at) => `site-${at}`);
  // In lines that begin with a colon, nothing can be added.
  const odd = ["site-3", "site-8"];
  const lineOf = (name: string) =>
    odd.includes(name)
      ? `  ? ${name}\n  : domain: ${name}.example\n`
      : `  ${name}: { domain: ${name}.example }\n`;
  const text = `websites:\n${names.map(lineOf).join("")}`;
  const edits = names.map(
    (name, at): Edit => ({
      resource: website,
      name,
      values: { emailReports: true, ...(at % 4 === 1 && { excludeIps: ["not an address"] }) },
      declared: { emailReports: at === 2, excludeIps: undefined },
    }),
  );
  const { texts, unfit } = editDeclarations([{ file: "a.yaml", text }], catalogue, edits);
  expect(unfit.map(({ name, values }) => [name, values])).toEqual([
    ["site-1", { excludeIps: ["not an address"] }],
    // The program says otherwise than the file.
    ["site-2", { emailReports: true }],
    ["site-3", { emailReports: true }],
    ["site-5", { excludeIps: ["not an address"] }],
    ["site-8", { emailReports: true }],
  ]);
  const after = text
    .replaceAll(".example }", ".example, emailReports: true }")
    .replace("site-2.example, emailReports: true", "site-2.example");
  expect(texts[0]?.text).toBe(after);
});

// Generated files.

const ADDRESSES = Array.from({ length: 8 }, (_, index) => `192.0.2.${index + 1}`);
const LISTS = ["office", "home"];

/** A generator of numbers from 0 to 1 for one seed, so that a failing file is repeated by its seed alone. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A file of declarations in one of many layouts, with comments that are all different. */
class Writer {
  private comments = 0;

  constructor(
    private readonly random: () => number,
    private readonly prefix: string,
  ) {}

  chance = (share: number) => this.random() < share;
  of = <T>(all: readonly T[]): T => all[Math.floor(this.random() * all.length)] as T;
  some = <T>(all: readonly T[]) => all.filter(() => this.chance(0.4));

  comment(): string {
    this.comments += 1;
    return this.chance(0.4) ? ` # ${this.prefix}${this.comments}: x, [y]` : "";
  }

  quoted(text: string): string {
    return this.of([text, text, `"${text}"`, `'${text}'`]);
  }

  private above(indent: string): string {
    return this.chance(0.2) ? `${indent}${this.comment().trim() || "# same"}\n` : "";
  }

  list(entries: readonly string[], indent: string): string {
    const texts = entries.map((entry) => this.quoted(entry));
    if (texts.length === 0 || this.chance(0.4)) return ` [${texts.join(", ")}]${this.comment()}\n`;
    if (this.chance(0.3)) {
      const rows = texts.map(
        (text, at) =>
          `${indent}    ${text}${at < texts.length - 1 ? "," : this.of(["", ","])}${this.comment()}\n`,
      );
      return ` [${this.comment()}\n${rows.join("")}${indent}  ]\n`;
    }
    const deeper = this.of(["", "  "]) + indent;
    return `${this.comment()}\n${texts.map((text) => `${this.above(deeper)}${deeper}- ${text}${this.comment()}\n`).join("")}`;
  }

  mapping(values: Values, indent: string): string {
    const entries = Object.entries(values).toSorted(() => this.random() - 0.5);
    if (this.chance(0.4)) {
      const flat = entries.map(([name, value]) =>
        Array.isArray(value) ? `${name}: [${value.join(", ")}]` : `${name}: ${this.scalar(value)}`,
      );
      return ` {${this.of(["", " "])}${flat.join(", ")}${this.of(["", " "])}}${this.comment()}\n`;
    }
    const lines = entries.map(([name, value]) => {
      const text = Array.isArray(value)
        ? this.list(value, indent)
        : `${this.of([" ", "   "])}${this.scalar(value)}${this.comment()}\n`;
      return `${this.above(indent)}${indent}${name}:${text}`;
    });
    return `${this.comment()}\n${lines.join("")}`;
  }

  private scalar(value: unknown): string {
    return typeof value === "string" ? this.quoted(value) : String(value);
  }
}

function valuesFor(writer: Writer, resource: Resource, name: string): Record<string, unknown> {
  if (resource === pixel)
    return { name, type: writer.of(["bing", "quora"]), value: writer.of(["AW-1", "G-2"]) };
  const lists = () => writer.some([...LISTS, ...ADDRESSES.slice(0, 4)]);
  return {
    domain: `${name}.example`,
    ...(writer.chance(0.5) && { privacy: writer.of(["public", "private"]) }),
    ...(writer.chance(0.5) && { emailReports: writer.chance(0.5) }),
    ...(writer.chance(0.3) && { excludeBots: writer.chance(0.5) }),
    ...(writer.chance(0.6) && { excludeIps: lists() }),
  };
}

/** What someone changed, of what the service has. */
function drifted(writer: Writer, resource: Resource, values: Values): Values {
  if (resource === pixel)
    return {
      ...(writer.chance(0.5) && { value: writer.of(["AW-3", "no: 1", "007", "true"]) }),
      ...(writer.chance(0.3) && { type: "twitter" }),
      ...(writer.chance(0.2) && { name: `${values.name} # 2` }),
    };
  return {
    ...(writer.chance(0.4) && { privacy: writer.of(["public", "private"]) }),
    ...(writer.chance(0.4) && { emailReports: writer.chance(0.5) }),
    ...(writer.chance(0.3) && { excludeBots: writer.chance(0.5) }),
    ...(writer.chance(0.1) && { domain: `new-${values.domain}` }),
    // A list that was never set is not managed.
    ...(values.excludeIps !== undefined && writer.chance(0.6) && { excludeIps: writer.some(ADDRESSES) }),
  };
}

function generated(seed: number) {
  const random = randomOf(seed);
  const writers = ["a", "b"].map((prefix) => new Writer(random, prefix));
  const [first] = writers as [Writer, Writer];
  const lineEnd = first.of(["\n", "\n", "\r\n"]);
  const defaults = {
    ...(first.chance(0.5) && {
      emailReports: first.chance(0.5),
      excludeIps: first.some([...LISTS, ...ADDRESSES.slice(0, 2)]),
    }),
  };
  const files = writers.map((writer, at) => {
    const parts: string[] = [];
    if (at === 0) {
      parts.push(
        `lists:\n${LISTS.map((name) => `  ${name}:${writer.list(writer.some(ADDRESSES), "    ")}`).join("")}`,
      );
      if (Object.keys(defaults).length > 0)
        parts.push(`defaults:\n  websites:${writer.mapping(defaults, "    ")}`);
    }
    for (const [section, resource] of [
      ["websites", website],
      ["pixels", pixel],
    ] as const) {
      const names = [1, 2, 3].map((index) => `${section}-${at}-${index}`);
      const rows = names.map(
        (name) =>
          `  ${name}:${writer.mapping(valuesFor(writer, resource, name), "    ")}${writer.of(["", "", "\n"])}`,
      );
      parts.push(`${section}:\n${rows.join("")}`);
    }
    const text = parts.join(writer.of(["", "\n"])).replaceAll("\n", lineEnd);
    return { file: `${at}.yaml`, text: writer.chance(0.2) ? text.trimEnd() : text };
  });
  const declarations = read(files);
  const edits = declarations.flatMap(({ resource, name, values }): Edit[] => {
    if (first.chance(0.05)) return [{ resource, name, values: {}, isDeleted: true }];
    const change = first.chance(0.6) ? drifted(first, resource, values) : {};
    return Object.keys(change).length > 0 ? [{ resource, name, values: change }] : [];
  });
  return { files, declarations, edits };
}

const commentsOf = ({ text }: TextFile) => text.match(/# [ab]\d+: x, \[y\]/g) ?? [];
const spelled = (resource: Resource, values: Values) =>
  Object.entries(resource.inputs).map(([name, field]) => {
    const value = values[name] ?? field.default;
    return [name, value === undefined ? undefined : fieldOf(resource, name).canonical(value)];
  });

test("of a thousand generated files, the edited ones say what the service has, and have every comment, and the lines of what did not change", () => {
  let changed = 0;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
      const { files, declarations, edits } = generated(seed);
      const { texts, unfit } = editDeclarations(files, catalogue, edits);
      expect(unfit).toEqual([]);
      const after = read(texts);
      const wanted = declarations.flatMap(({ resource, name, values }) => {
        const edit = edits.find((each) => each.resource === resource && each.name === name);
        return edit?.isDeleted ? [] : [[name, spelled(resource, { ...values, ...edit?.values })]];
      });
      const deleted = edits.some(({ isDeleted }) => isDeleted);
      expect(after.map(({ resource, name, values }) => [name, spelled(resource, values)])).toEqual(wanted);
      for (const [at, file] of files.entries()) {
        const text = texts[at] as TextFile;
        // A comment goes only with what it is about.
        const kept = commentsOf(file).filter((each) => !deleted || text.text.includes(each));
        expect(commentsOf(text)).toEqual(kept);
        expect(text.text.replaceAll("\r\n", "").includes("\r")).toBe(false);
        expect(text.text.includes("\r\n")).toBe(file.text.includes("\r\n"));
      }
      if (edits.length === 0) expect(texts).toEqual(files);
      changed += edits.length;
    }),
    parametersOf("edits"),
  );
  expect(changed).toBeGreaterThan(parametersOf("edits").numRuns);
});
