import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { fieldSchemas } from "./fields.mjs";
import { answerOf, functionSchema } from "./functions.mjs";
import { answerTypes, enums, settingShapes } from "./reflected.mjs";
import { recordType, resourceSchema } from "./resources.mjs";

/**
 * @typedef {Record<string, unknown>} Spec a part of a Pulumi package schema
 * @typedef {import("../../provider/schema/resource.ts").Resource} Resource
 * @typedef {import("../../provider/lookups/lookup.ts").Lookup<unknown>} Lookup
 * @typedef {import("../../provider/schema/field.ts").Field<unknown>} Field
 * @typedef {import("../../provider/schema/field.ts").Zod} Zod
 * @typedef {import("./reflected.mjs").Enum} Enum
 *
 * @typedef {object} Definitions
 * @property {readonly Resource[]} catalogue
 * @property {readonly Lookup[]} lookups
 * @property {readonly string[]} secretSettings
 * @property {(lookup: string) => string} listName the name of the list that a look-up returns
 * @property {(resource: Resource) => string} tokenOf the type token of the dynamic form
 * @property {(name: string) => string} pluginToken a token of the plugin
 * @property {() => Zod} zod
 */

// The npm package has the name that a generated one would take by itself.
const LANGUAGES = {
  nodejs: { packageName: "pulumi-tracking-sdk", respectSchemaVersion: true },
  python: { packageName: "pulumi_tracking", respectSchemaVersion: true, pyproject: { enabled: true } },
  go: { respectSchemaVersion: true },
  csharp: { respectSchemaVersion: true },
};

/**
 * The schema of the package as Pulumi reads it: resources and functions for every language. All of it is derived from the definitions and their JSDoc.
 *
 * @param {Definitions} definitions
 * @param {Map<string, string>} words the JSDoc of each argument, by `Website.domain`
 * @returns {Promise<Spec>}
 */
export async function packageSchema(definitions, words) {
  const { catalogue, lookups, secretSettings, listName, tokenOf, pluginToken, zod } = definitions;
  /** @type {{ version: string, description: string, keywords: string[], license: string }} */
  const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));
  const [settings, named, marketplace] = await Promise.all([
    settingShapes(),
    enums(),
    answerTypes(pluginToken),
  ]);
  const fields = fieldSchemas(zod(), named, pluginToken);
  const variables = Object.fromEntries(
    [...settings].map(([name, shape]) => [
      name,
      { ...shape, ...(secretSettings.includes(name) && { secret: true }) },
    ]),
  );
  const records = catalogue.map((each) => [
    pluginToken(`${each.type}Record`),
    recordType(each, words, fields),
  ]);
  /** @type {Record<string, Spec>} */
  const types = { ...marketplace.types, ...Object.fromEntries(records) };
  for (const { name, description, values } of named)
    types[pluginToken(name)] = { type: "string", description, enum: values };
  return {
    name: "tracking",
    displayName: "Tracking",
    version: manifest.version,
    description: manifest.description,
    keywords: [
      ...manifest.keywords.filter((each) => each !== "pulumi"),
      "category/monitoring",
      "kind/native",
    ],
    license: manifest.license,
    // Go's package then is a module.
    meta: { supportPack: true },
    language: LANGUAGES,
    config: { variables },
    provider: { inputProperties: variables },
    types,
    resources: Object.fromEntries(
      catalogue.map((each) => [
        pluginToken(each.type),
        { ...resourceSchema(each, words, fields), aliases: [{ type: tokenOf(each) }] },
      ]),
    ),
    functions: Object.fromEntries(
      lookups.map((each) => [
        pluginToken(each.name),
        functionSchema(each, answerOf(each, catalogue, marketplace.answers), {
          types,
          fields,
          listName,
          pluginToken,
        }),
      ]),
    ),
  };
}
