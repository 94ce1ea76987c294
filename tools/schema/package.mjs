import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { homeOf } from "./home.mjs";
import { capitalized, enums, settingShapes, signatures } from "./reflected.mjs";

/**
 * @typedef {Record<string, unknown>} Spec a part of a Pulumi package schema
 * @typedef {import("../../provider/schema/resource.ts").Resource<Record<string, Field>>} Resource
 * @typedef {import("../../provider/lookups/lookup.ts").Lookup<unknown>} Lookup
 * @typedef {import("../../provider/schema/field.ts").Field<unknown> & { description?: string }} Field
 */

/** The languages in which the registry's page has a program for every resource. */
const EXAMPLES = /^```(python|go|yaml)\n[\s\S]*?^```$/gm;

/**
 * The schema of the package as Pulumi reads it: resources and functions, for every language. All of it is derived from
 * the definitions and their JSDoc.
 *
 * @param {typeof import("./definitions.ts")} definitions
 * @param {(member: string) => string | undefined} wordsOf the JSDoc of a member, such as `WebsiteArgs.domain`
 * @param {object} [home] changes to package.json
 */
export async function packageSchema(definitions, wordsOf, home = {}) {
  const {
    catalogue,
    adoptField,
    lookups,
    secretSettings,
    listName,
    tokenOf,
    pluginToken,
    environmentName,
    zod,
  } = definitions;
  const [manifest, page, settings, named, { types, lookups: documented }] = await Promise.all([
    readFile(join(ROOT, "package.json"), "utf8").then(JSON.parse),
    readFile(join(ROOT, "docs", "_index.md"), "utf8"),
    settingShapes(),
    enums(),
    signatures(pluginToken),
  ]);
  Object.assign(manifest, home);
  const { publisher, ...place } = homeOf(manifest);
  const example = `## Example Usage\n\n<!--Start PulumiCodeChooser -->\n${page.match(EXAMPLES)?.join("\n\n")}\n<!--End PulumiCodeChooser -->`;
  for (const { name, description, values } of named)
    types[pluginToken(name)] = { type: "string", description, enum: values };
  const variables = mapValues(settings, ({ enum: words, ...shape }, name) => ({
    ...shape,
    ...(words !== undefined && wordsType(capitalized(name), words)),
    ...(secretSettings.includes(name) && { secret: true }),
  }));
  return {
    name: "tracking",
    displayName: "Tracking",
    version: manifest.version,
    description: manifest.description,
    publisher,
    ...place,
    keywords: [
      ...manifest.keywords.filter((/** @type {string} */ each) => each !== "pulumi"),
      "category/monitoring",
      "kind/native",
    ],
    license: manifest.license,
    // Go's package then is a module.
    meta: { supportPack: true },
    language: {
      // `pulumi package add` would write over the dependency on a package of this name.
      nodejs: { packageName: `${manifest.name}-sdk`, respectSchemaVersion: true },
      python: { packageName: "pulumi_tracking", respectSchemaVersion: true, pyproject: { enabled: true } },
      go: {
        ...(place.repository && { importBasePath: `${place.repository.slice(8)}/sdk/go/tracking` }),
        respectSchemaVersion: true,
      },
      csharp: { respectSchemaVersion: true },
      java: { basePackage: "pulumi" },
    },
    // Only the stack's own settings: an explicit provider never reads the environment.
    config: {
      variables: mapValues(variables, (variable, name) => ({
        ...variable,
        defaultInfo: { environment: [environmentName(name)] },
      })),
    },
    provider: { inputProperties: variables },
    types,
    resources: Object.fromEntries(catalogue.map((each) => [pluginToken(each.type), resourceSchema(each)])),
    functions: Object.fromEntries(lookups.map((each) => [pluginToken(each.name), functionSchema(each)])),
  };

  /** @param {Field} field */
  function shapeOf(field) {
    return zod().toJSONSchema(field.validator(zod()), { io: "input" });
  }

  /**
   * @param {Field} field
   * @param {string} name of its type, if it takes a few words that have no type yet
   * @returns {Spec}
   */
  function inputOf(field, name) {
    const shape = shapeOf(field);
    const { enum: words = [] } = shape;
    const known = named.find(({ values }) => values.every(({ value }) => words.includes(value)));
    if (known !== undefined) return openSet("string", known.name);
    return words.length > 1 ? wordsType(name, words) : typeOf(shape);
  }

  /** @param {string} name @param {readonly unknown[]} words */
  function wordsType(name, words) {
    const isText = typeof words[0] === "string";
    const type = isText ? "string" : "integer";
    const members = words.map((value) => ({
      name: isText ? capitalized(String(value)) : `Records${value}`,
      value,
    }));
    types[pluginToken(name)] = { type, enum: members };
    return openSet(type, name);
  }

  /** Servers know words beyond a set, and the provider checks what is written. @param {string} type @param {string} name */
  function openSet(type, name) {
    return { oneOf: [{ type }, { $ref: `#/types/${pluginToken(name)}` }] };
  }

  /**
   * @param {Pick<Resource, "type" | "inputs">} resource
   * @param {(field: Field, name: string) => Spec} schema
   */
  function properties({ type, inputs }, schema) {
    return mapValues(inputs, (field, name) => ({
      ...schema(field, name),
      description: wordsOf(`${type}Args.${name}`),
      ...(field.secret && { secret: true }),
      ...(field.replaces && { willReplaceOnChanges: true }),
    }));
  }

  /** @param {Resource} resource @returns {Spec} */
  function resourceSchema(resource) {
    const { type, key, inputs, deletesWith } = resource;
    const noun = type.toLowerCase();
    return {
      description: `${wordsOf(type)?.split("\n\n")[0]}\n\n${example}`,
      properties: properties(resource, (field) => typeOf(shapeOf(field))),
      required: namesOf(inputs, ({ required, default: preset }) => required || preset !== undefined),
      inputProperties: {
        ...properties({ type, inputs: { ...inputs, adopt: adoptField } }, inputOf),
        ...(deletesWith !== undefined && {
          deletionProtection: {
            type: "boolean",
            description: `While this is \`true\`, the provider refuses to delete or replace the ${noun}, since its ${deletesWith} would be deleted with it. A preview refuses a replacement, but shows a delete; Pulumi's option \`protect\` refuses both in the preview. Default \`true\`.`,
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
    const { answer = "", description, words } = documented.get(name) ?? {};
    const given = mapValues(inputs, (field, input) => ({
      ...inputOf(field, typeNameOf(name, input)),
      description: words?.get(input),
    }));
    const required = namesOf(inputs, (field) => field.required);
    const token = pluginToken(answer.replace("[]", ""));
    const type = types[token] ?? {};
    // A function gives an object: a list is one of its properties.
    const list = { [listName(name)]: { type: "array", items: { $ref: `#/types/${token}` } } };
    return {
      description,
      ...(Object.keys(inputs).length > 0 && { inputs: { type: "object", properties: given, required } }),
      outputs: answer.endsWith("[]")
        ? { type: "object", properties: list, required: Object.keys(list) }
        : { type: "object", properties: type.properties, required: type.required },
    };
  }

  /** One type for the words of all look-ups, or one for each. @param {string} lookup @param {string} input */
  function typeNameOf(lookup, input) {
    const sets = lookups.flatMap(({ inputs }) => inputs[input]?.expected ?? []);
    const isShared = sets.every((each) => each === sets[0]);
    return `${isShared ? "" : lookup.replace(/^get(.+)s$/, "$1")}${capitalized(input)}`;
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
 * @param {{ type?: unknown, items?: unknown, anyOf?: object[], enum?: unknown }} schema
 * @returns {Spec}
 */
function typeOf({ type, items, anyOf, enum: words }) {
  if (type === "array") return { type, items: typeOf(/** @type {object} */ (items)) };
  if (typeof type === "string") return { type };
  if (Array.isArray(words)) return { type: "string" };
  // Text can say each of several types.
  if (anyOf?.some((each) => typeOf(each).type === "string")) return { type: "string" };
  throw new Error("a field's shape has no type");
}
