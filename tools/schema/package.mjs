import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { answerTypes, enums, settingShapes } from "./reflected.mjs";

/**
 * @typedef {Record<string, unknown>} Spec a part of a Pulumi package schema
 * @typedef {import("../../provider/schema/resource.ts").Resource<Record<string, Field>>} Resource
 * @typedef {import("../../provider/lookups/lookup.ts").Lookup<unknown>} Lookup
 * @typedef {import("../../provider/schema/field.ts").Field<unknown> & { description?: string }} Field
 * @typedef {import("../../provider/schema/field.ts").Zod} Zod
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
 * The schema of the package as Pulumi reads it: resources and functions, for every language. All of it is derived from
 * the definitions and their JSDoc.
 *
 * @param {Definitions} definitions whose fields have descriptions
 * @returns {Promise<Spec>}
 */
export async function packageSchema(definitions) {
  const { catalogue, lookups, secretSettings, listName, tokenOf, pluginToken, zod } = definitions;
  const [manifest, settings, named, returned] = await Promise.all([
    readFile(join(ROOT, "package.json"), "utf8").then(JSON.parse),
    settingShapes(),
    enums(),
    answerTypes(pluginToken),
  ]);
  const variables = mapValues(settings, (shape, name) => ({
    ...shape,
    ...(secretSettings.includes(name) && { secret: true }),
  }));
  /** @type {Record<string, Spec>} */
  const types = {
    ...returned.types,
    ...Object.fromEntries(
      named.map(({ name, description, values }) => [
        pluginToken(name),
        { type: "string", description, enum: values },
      ]),
    ),
  };
  return {
    name: "tracking",
    displayName: "Tracking",
    version: manifest.version,
    description: manifest.description,
    keywords: [
      ...manifest.keywords.filter((/** @type {string} */ each) => each !== "pulumi"),
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
    resources: Object.fromEntries(catalogue.map((each) => [pluginToken(each.type), resourceSchema(each)])),
    functions: Object.fromEntries(lookups.map((each) => [pluginToken(each.name), functionSchema(each)])),
  };

  /** @param {Field} field */
  function shapeOf(field) {
    return zod().toJSONSchema(field.validator(zod()), { io: "input" });
  }

  /** @param {Field} field @returns {Spec} */
  function inputOf(field) {
    const shape = shapeOf(field);
    const known = named.find(({ values }) => values.every(({ value }) => shape.enum?.includes(value)));
    // Servers know words beyond the set, and the provider checks what is written.
    return known === undefined
      ? typeOf(shape)
      : { oneOf: [{ type: "string" }, { $ref: `#/types/${pluginToken(known.name)}` }] };
  }

  /**
   * @param {Resource} resource
   * @param {(field: Field) => Spec} schema
   */
  function properties({ inputs }, schema) {
    return mapValues(inputs, (field) => ({
      ...schema(field),
      description: field.description,
      ...(field.secret && { secret: true }),
      ...(field.replaces && { willReplaceOnChanges: true }),
    }));
  }

  /** @param {Resource} resource @returns {Spec} */
  function resourceSchema(resource) {
    const { type, key, inputs, deletesWith } = resource;
    const noun = type.toLowerCase();
    return {
      description: `A ${noun} of the tracking service.`,
      properties: properties(resource, (field) => typeOf(shapeOf(field))),
      required: namesOf(inputs, ({ required, default: preset }) => required || preset !== undefined),
      inputProperties: {
        ...properties(resource, inputOf),
        adopt: {
          type: "boolean",
          description: `Adopt the existing ${noun} with this ${key} instead of failing, and set on it what this program declares. A preview names it and what will change. Never a change by itself. Default \`false\`.`,
        },
        ...(deletesWith !== undefined && {
          deletionProtection: {
            type: "boolean",
            description: `While this is \`true\`, the provider refuses to delete or replace the ${noun}, since its ${deletesWith} would be deleted with it. A preview does not show this refusal; Pulumi's option \`protect\` also refuses in the preview. Default \`true\`.`,
          },
        }),
      },
      requiredInputs: namesOf(inputs, ({ required }) => required),
      listInputs: {
        type: "object",
        properties: {
          search: { type: "string", description: `Text that is part of the ${key}, in any case.` },
        },
      },
      aliases: [{ type: tokenOf(resource) }],
    };
  }

  /** @param {Lookup} lookup @returns {Spec} */
  function functionSchema({ name, inputs }) {
    const answer = returned.answers.get(name);
    if (answer === undefined) throw new Error(`the answer of ${name} has no type`);
    const given = mapValues(inputs, (field) => ({
      ...inputOf(field),
      description: `${field.expected[0]?.toUpperCase()}${field.expected.slice(1)}.`,
    }));
    const required = namesOf(inputs, (field) => field.required);
    const token = pluginToken(answer.replace("[]", ""));
    const type = types[token] ?? {};
    // A function gives an object: a list is one of its properties.
    const list = { [listName(name)]: { type: "array", items: { $ref: `#/types/${token}` } } };
    return {
      description: type.description,
      ...(Object.keys(inputs).length > 0 && { inputs: { type: "object", properties: given, required } }),
      outputs: answer.endsWith("[]")
        ? { type: "object", properties: list, required: Object.keys(list) }
        : { type: "object", properties: type.properties, required: type.required },
    };
  }
}

/**
 * @template T
 * @param {Readonly<Record<string, T>>} of
 * @param {(value: T, name: string) => Spec} each
 */
function mapValues(of, each) {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, each(value, name)]));
}

/**
 * @param {Readonly<Record<string, Field>>} fields
 * @param {(field: Field) => boolean} is
 */
function namesOf(fields, is) {
  return Object.keys(fields).filter((name) => fields[name] && is(fields[name]));
}

/**
 * @param {{ type?: unknown, items?: unknown, anyOf?: unknown, enum?: unknown }} schema
 * @returns {Spec}
 */
function typeOf({ type, items, anyOf, enum: words }) {
  if (type === "array") return { type, items: typeOf(/** @type {object} */ (items)) };
  if (typeof type === "string") return { type };
  if (Array.isArray(words)) return { type: "string" };
  if (!Array.isArray(anyOf)) throw new Error("a field's shape has no type");
  const types = [...new Set(anyOf.map((each) => JSON.stringify(typeOf(each))))].map((each) =>
    JSON.parse(each),
  );
  return types.length === 1 ? types[0] : { oneOf: types };
}
