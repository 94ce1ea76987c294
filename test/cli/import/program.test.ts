import { describe, expect, test } from "vitest";
import { wants } from "../../../cli/import/filter";
import { Names } from "../../../cli/import/names";
import type { Named } from "../../../cli/import/program";
import { typescript } from "../../../cli/import/typescript";
import { yaml } from "../../../cli/import/yaml";
import { pixel, website } from "../../../provider/resources";

const plain = { privacy: "private", emailReports: false, excludeBots: true };
const office = ["192.0.2.0/24", "198.51.100.7"];
const records: Named[] = [
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
    const text = typescript(records);
    expect(text).toContain('const sharedList1 = ["192.0.2.0/24", "198.51.100.7"];');
    expect(text).toContain(
      'export const a = new tracking.Website("a", {\n  domain: "a.example.com",\n  excludeIps: sharedList1,\n});',
    );
    expect(text).toContain("// The service does not give its password");
  });

  test("holds whatever people typed as text, and a type that only the service knows", () => {
    const text = typescript(records);
    expect(text).toContain('name: "a\\"\\n\\u202eb"');
    expect(text).toContain('type: "tomorrow" as tracking.PixelType');
    expect(text).toContain("export const classRecord =");
  });

  test("is the same as YAML, by the same names", async () => {
    const text = await yaml(records);
    expect(text).toContain("# The service does not give passwords; it keeps those of: class");
    expect(text).toContain("lists:\n  sharedList1:\n    - 192.0.2.0/24");
    expect(text).toContain(
      "websites:\n  a:\n    domain: a.example.com\n    excludeIps:\n      - sharedList1",
    );
  });
});

test("a shared list has no name that one of the values has", async () => {
  const lists = { excludeParams: ["sharedList1"], excludeIps: office };
  const twice = ["a", "b"].map((name) => ({
    resource: website,
    name,
    id: name,
    state: { domain: `${name}.example.com`, ...plain, ...lists },
  }));
  expect(await yaml(twice)).toContain("lists:\n  sharedList2:\n    - sharedList1\n  sharedList3:");
});

describe("names", () => {
  test("are unique and plain, whatever a record is called", () => {
    const names = new Names(["shop-example-com"]);
    const keys = ["shop.example.com", "Shop Example.com", "\u{1F600}", "\u202E", "Käse"];
    expect(keys.map((key) => names.resource(key))).toEqual([
      "shop-example-com-2",
      "shop-example-com-3",
      "record",
      "record-2",
      "kase",
    ]);
  });

  test("of variables are ones that a program can have", () => {
    const names = new Names();
    expect(["shop-example-com", "24-de", "class"].map((name) => names.variable(name))).toEqual([
      "shopExampleCom",
      "the24De",
      "classRecord",
    ]);
  });
});

describe("filters", () => {
  test("take globs over domains and names, and leave out what is excluded", () => {
    const wanted = wants({ match: ["*.example.com"], exclude: ["test-*"] });
    expect(["shop.example.com", "a.b.example.com", "test-1.example.com", "x.org"].map(wanted)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("without a glob take everything, and know a domain by both its forms", () => {
    expect(wants({ match: [], exclude: [] })("Pixel / 1")).toBe(true);
    expect(wants({ match: ["bücher.example"], exclude: [] })("xn--bcher-kva.example")).toBe(true);
  });
});
