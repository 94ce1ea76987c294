import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { environmentName, settingNames } from "../../provider/config";
import { catalogue } from "../../provider/resources";
import * as sdk from "../../sdk";
import { ROOT } from "../../tools/root.mjs";
import { blocks, code, readme, table } from "./readme";

const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

describe("the README", () => {
  it("shows the program that the demo runs", () => {
    const quickstart = readFileSync(join(ROOT, "examples", "quickstart", "index.ts"), "utf8");
    expect(blocks("ts")[0]).toBe(quickstart);
  });

  it("names only npm scripts that exist", () => {
    const named = [...readme.matchAll(/npm (?:run )?(test|(?<=run )[\w:-]+)/g)].map(([, name]) => name);
    expect(named).toContain("demo");
    for (const name of named) expect(Object.keys(manifest.scripts)).toContain(name);
  });

  it("names the tarball that packing makes", () => {
    const named = new Set(readme.match(/pulumi-tracking-[\d.]+\.tgz/g));
    expect([...named]).toEqual([`${manifest.name}-${manifest.version}.tgz`]);
  });

  it("has every setting, with its name in the environment, and no other", () => {
    expect(table("Settings").map(([key, variable]) => [code(key), code(variable)])).toEqual(
      settingNames.map((name) => [name, environmentName(name)]),
    );
  });

  it.each(catalogue)("has every argument of $type, with its default, and no other", ({ type, inputs }) => {
    const described = Object.entries(inputs).map(([name, field]) => [name, whatIfLeftOut(field)]);
    expect(table(type).map(([name, , ifLeftOut]) => [code(name), ifLeftOut])).toEqual([
      ...described,
      ["adopt", "`false`"],
    ]);
  });

  it("has every look-up, and no other", () => {
    const functions = Object.keys(sdk).filter(
      (name) => /^(get|validate)/.test(name) && !name.endsWith("Output"),
    );
    expect(table("Look-ups").map(([name]) => code(name))).toEqual(expect.arrayContaining(functions));
    expect(table("Look-ups")).toHaveLength(functions.length);
  });

  it("gives a reason for every direct dependency", () => {
    const named = table("Dependencies").map(([name]) => code(name));
    expect(named.sort()).toEqual(Object.keys(manifest.dependencies).sort());
  });

  it("has no broken link to a file of the repository", () => {
    const places = [...readme.matchAll(/\]\((?!https:)([^)]+)\)/g)].map(([, place]) => place ?? "");
    expect(places.filter((place) => !existsSync(join(ROOT, place.replace(/#.*/, ""))))).toEqual([]);
  });
});

function whatIfLeftOut(field: (typeof catalogue)[number]["inputs"][string]): string {
  if (field.required) return "required";
  if (field.default !== undefined) return `\`${JSON.stringify(field.default)}\``;
  return field.clearsTo === undefined ? "none" : "not managed";
}
