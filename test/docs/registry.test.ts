import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { settingNames } from "../../provider/config";
import { schemas } from "../../tools/schema/schemas.mjs";
import { blocks, installation, overview } from "./readme";

interface Shape {
  properties: Record<string, unknown>;
}
interface Schema {
  resources: Record<string, { inputProperties: Record<string, unknown>; requiredInputs: string[] }>;
  functions: Record<string, { inputs?: Shape; outputs: Shape }>;
}
interface Program {
  resources: Record<string, { type: string; properties: object }>;
  variables: Record<string, { "fn::invoke": { function: string; arguments: object } }>;
}

const token = (name: string) => name.replace(/^tracking:(?!index:)/, "tracking:index:");

describe.each([
  ["_index.md", overview],
  ["installation-configuration.md", installation],
])("docs/%s", (_name, text) => {
  it("begins as a page of the registry does", () => {
    const [, front = ""] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? [];
    expect(parse(front)).toEqual({
      title: expect.stringMatching(/^Tracking/),
      meta_desc: expect.stringContaining("Tracking provider for Pulumi"),
      layout: "package",
    });
  });

  it("closes every shortcode that it opens", () => {
    const opened = [...text.matchAll(/\{\{[<%] (choos\w+)/g)].map(([, name]) => name);
    const closed = [...text.matchAll(/\{\{[<%] \/(choos\w+)/g)].map(([, name]) => name);
    expect(closed.toSorted()).toEqual(opened.toSorted());
  });
});

describe("the examples", () => {
  it("are there in each language that the page offers", () => {
    const [, offered = ""] = /chooser language "([^"]+)"/.exec(overview) ?? [];
    expect(offered.split(",")).toEqual(["typescript", "python", "go", "yaml"]);
    for (const language of offered.split(",")) expect(blocks(language, overview), language).toHaveLength(1);
  });

  it("in YAML have only types, arguments and functions that the schema has, and all that are required", async () => {
    const schema = (await schemas()).package as unknown as Schema;
    const [program] = blocks("yaml", overview).map((text) => parse(text) as Program);
    for (const { type, properties } of Object.values(program?.resources ?? {})) {
      const { inputProperties = {}, requiredInputs = [] } = schema.resources[token(type)] ?? {};
      expect(Object.keys(inputProperties)).toEqual(expect.arrayContaining(Object.keys(properties)));
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(requiredInputs));
    }
    for (const { "fn::invoke": call } of Object.values(program?.variables ?? {})) {
      const { inputs } = schema.functions[token(call.function)] ?? {};
      expect(Object.keys(inputs?.properties ?? {})).toEqual(
        expect.arrayContaining(Object.keys(call.arguments)),
      );
    }
    expect(Object.keys(program?.resources ?? {}).length).toBeGreaterThan(0);
  });
});

describe("the settings", () => {
  it("are those that there are, each by the name of its variable too", () => {
    const rows = [...installation.matchAll(/^\| `tracking:(\w+)`(?: \(secret\))? \| `(\w+)`/gm)];
    expect(rows.map(([, name]) => name).toSorted()).toEqual([...settingNames].toSorted());
    for (const [, name = "", variable] of rows)
      expect(variable).toBe(`TRACKING_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`);
  });

  it("have the plugin's place as init-native writes it", () => {
    const [text = ""] = blocks("yaml", installation);
    expect(parse(text)).toEqual({
      plugins: { providers: [{ name: "tracking", path: "node_modules/.bin" }] },
    });
  });
});
