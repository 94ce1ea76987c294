import { loadSource } from "../source.mjs";
import { packageSchema } from "./package.mjs";
import { descriptions } from "./reflected.mjs";

/**
 * The schemas that are made from the definitions: of the files that `declareFrom` reads, and of the package as Pulumi
 * reads it.
 *
 * @param {object} [home] what package.json would say otherwise
 */
export async function schemas(home) {
  /** @type {typeof import("./definitions.ts")} */
  const definitions = await loadSource("tools/schema/definitions.ts");
  const words = await descriptions();
  const { catalogue, adoptField, jsonSchema } = definitions;
  // The definitions were loaded for this alone, so their fields may be completed.
  for (const { type, inputs } of catalogue)
    for (const [name, field] of Object.entries({ ...inputs, adopt: adoptField }))
      Object.assign(field, { description: words.get(`${type}Args.${name}`) });
  return {
    declarations: jsonSchema(catalogue),
    package: await packageSchema(definitions, (member) => words.get(member), home),
  };
}

/** A schema as the text of its file. @param {object} schema */
export const textOf = (schema) => `${JSON.stringify(schema, null, 2)}\n`;
