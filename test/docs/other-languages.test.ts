import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { blocks, languages } from "./readme";

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

const programs = blocks("yaml", languages)
  .map((text) => parse(text) as Program)
  .filter(({ resources }) => resources !== undefined);
const token = (name: string) => name.replace(/^tracking:(?!index:)/, "tracking:index:");

describe("the page on other languages", () => {
  it("has one program in each language", () => {
    for (const language of ["python", "go"]) expect(blocks(language, languages), language).toHaveLength(1);
    expect(programs).toHaveLength(1);
  });

  it("has a program in YAML with only what the schema has, and all that is required", async () => {
    const schema: Schema = JSON.parse(await readFile("schema.json", "utf8"));
    const [program] = programs;
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
  });
});
