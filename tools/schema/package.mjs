import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../root.mjs";
import { loadSource } from "../source.mjs";
import { lookupPrograms } from "./examples.mjs";
import { homeOf } from "./home.mjs";
import { descriptions, signatures } from "./reflected.mjs";
import { describedExamples, describedParts, templateOf } from "./templates.mjs";

/**
 * @typedef {Record<string, unknown>} Spec a part of a Pulumi package schema
 * @typedef {import("../../provider/schema/resource.ts").Resource<Record<string, Field>>} Resource
 * @typedef {import("../../provider/lookups/lookup.ts").Lookup<unknown>} Lookup
 * @typedef {import("../../provider/schema/field.ts").Field<unknown> & { description?: string }} Field
 */

/**
 * @param {{ type?: unknown, items?: unknown, anyOf?: object[], enum?: unknown }} schema
 * @returns {Spec}
 */
function typeOf({ type, items, anyOf, enum: words }) {
  if (type === "array") return { type, items: typeOf(/** @type {object} */ (items)) };
  if (Array.isArray(words)) return { type: typeof words[0] === "string" ? "string" : "integer" };
  if (typeof type === "string") return { type };
  // The first is the type of what the service answers, such as an item's ID.
  if (anyOf?.[0] !== undefined) return typeOf(anyOf[0]);
  throw new Error("a field's shape has no type");
}

/**
 * @param {Readonly<Record<string, Field>>} fields
 * @param {(field: Field) => boolean} is
 */
function namesOf(fields, is) {
  return Object.keys(fields).filter((name) => fields[name] && is(fields[name]));
}

/**
 * @template T
 * @param {Readonly<Record<string, T>>} of
 * @param {(value: T, name: string) => Spec} specOf
 */
function mapValues(of, specOf) {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, specOf(value, name)]));
}

/**
 * A setting's type: a constructor's, or that of the object or text that it makes.
 *
 * @param {readonly string[] | (() => unknown)} kind
 * @returns {Spec}
 */
function settingType(kind) {
  const type = typeof kind === "function" ? typeof kind() : "string";
  return { type, ...(type === "object" && { additionalProperties: { type: "string" } }) };
}

/** A description that names all that a value can be. @param {string | undefined} text @param {readonly unknown[]} [choices] */
function withChoices(text, choices = []) {
  const isComplete = choices.every((choice) => `${text}`.includes(`${choice}`));
  const words = choices.map((choice) => `\`${choice}\``).join(", ");
  return isComplete ? text : `${text} ${choices.length > 1 ? "One of" : "Only"} ${words}.`;
}

/**
 * The schema of the package as Pulumi reads it: resources and functions, for every language. All of it is derived from
 * the definitions and their JSDoc.
 *
 * @param {object} [home] what package.json would say otherwise
 */
export async function packageSchema(home = {}) {
  /** @type {typeof import("./definitions.ts")} */
  const definitions = await loadSource("tools/schema/definitions.ts");
  const { catalogue, adoptField, lookups, listName, tokenOf, pluginToken, zod } = definitions;
  const { settings, secretSettings, environmentName, EXPLICIT } = definitions;
  const [manifest, words, { types, lookups: documented }, ofProvider, ...ofResources] = await Promise.all([
    readFile(join(ROOT, "package.json"), "utf8").then(JSON.parse),
    descriptions(),
    signatures(pluginToken),
    templateOf("provider"),
    ...catalogue.map(({ type }) => templateOf(type.toLowerCase())),
  ]);
  const parts = new Map(catalogue.map(({ type }, at) => [type, describedParts(ofResources[at] ?? "")]));
  Object.assign(manifest, home);
  const { publisher, ...place } = homeOf(manifest);
  const variables = mapValues(settings, (kind, name) => ({
    ...settingType(kind),
    description: withChoices(words.get(`ProviderArgs.${name}`), typeof kind === "function" ? [] : kind),
    ...(secretSettings.includes(name) && { secret: true }),
  }));

  /** @param {Field} field */
  function shapeOf(field) {
    return zod().toJSONSchema(field.validator(zod()), { io: "input" });
  }

  /**
   * An argument is of a plain type even if it takes a few words: servers know more words than a set, and only for plain
   * types `pulumi do` has flags.
   *
   * @param {Field} field
   * @param {string | undefined} description
   * @returns {Spec}
   */
  function inputOf(field, description) {
    const shape = shapeOf(field);
    const { default: preset } = field;
    return {
      ...typeOf(shape),
      description: withChoices(description, shape.enum),
      ...(preset !== undefined && { default: preset }),
    };
  }

  /**
   * @param {Pick<Resource, "type" | "inputs">} resource
   * @param {(field: Field, description: string | undefined) => Spec} schema
   */
  function properties({ type, inputs }, schema) {
    return mapValues(inputs, (field, name) => ({
      ...schema(field, words.get(`${type}Args.${name}`)),
      ...(field.secret && { secret: true }),
      ...(field.replaces && { willReplaceOnChanges: true }),
    }));
  }

  /** @param {Resource} resource @returns {Spec} */
  function resourceSchema(resource) {
    const { type, inputs, deletesWith } = resource;
    const noun = type.toLowerCase();
    const protection = deletesWith !== undefined && {
      deletionProtection: {
        type: "boolean",
        description: `While this is \`true\`, the provider refuses to delete or replace the ${noun}, since its ${deletesWith} would be deleted with it. A preview refuses a replacement, but shows a delete; Pulumi's option \`protect\` refuses both in the preview. Default \`true\`.`,
      },
    };
    const outputs = {
      ...properties(resource, (field, description) => {
        const shape = shapeOf(field);
        return { ...typeOf(shape), description: withChoices(description, shape.enum) };
      }),
      ...protection,
    };
    return {
      description: `${words.get(type)?.split("\n\n")[0]}\n\n${parts.get(type)}`,
      properties: outputs,
      required: [
        ...namesOf(inputs, ({ required, default: preset }) => required || preset !== undefined),
        ...Object.keys(protection || {}),
      ],
      inputProperties: {
        ...properties({ type, inputs: { ...inputs, adopt: adoptField } }, inputOf),
        ...mapValues(protection || {}, (property) => ({ ...property, default: true })),
      },
      requiredInputs: namesOf(inputs, ({ required }) => required),
      // What `get` may be given of a resource that exists.
      stateInputs: { type: "object", properties: outputs },
      aliases: [{ type: tokenOf(resource) }],
    };
  }

  /** @param {Lookup} lookup @returns {Spec} */
  function functionSchema({ name, inputs }) {
    const { answer = "", args } = documented.get(name) ?? {};
    const description = words.get(name);
    const inputProperties = mapValues(inputs, (field, input) =>
      inputOf(field, words.get(`${args}.${input}`)),
    );
    const required = namesOf(inputs, (field) => field.required);
    const token = pluginToken(answer.replace("[]", ""));
    const type = types[token] ?? {};
    // A function gives an object: a list is one of its properties.
    const list = { [listName(name)]: { type: "array", items: { $ref: `#/types/${token}` }, description } };
    return {
      description: `${description}\n\n${describedExamples(lookupPrograms([name]))}`,
      ...(Object.keys(inputs).length > 0 && {
        inputs: { type: "object", properties: inputProperties, required },
      }),
      outputs: answer.endsWith("[]")
        ? { type: "object", properties: list, required: Object.keys(list) }
        : { type: "object", properties: type.properties, required: type.required },
    };
  }

  // A record has the words of its resource, and more on a newer server.
  for (const { type, inputs } of catalogue)
    for (const [name, property] of Object.entries(types[pluginToken(`${type}Record`)]?.properties ?? {}))
      if (inputs[name]) property.description = withChoices(property.description, shapeOf(inputs[name]).enum);
  // Every SDK sends a constant by itself, and the engine none for a provider that it makes of a stack's config.
  const ofProgram = {
    [EXPLICIT]: {
      type: "string",
      const: "true",
      description:
        "Leave it out: the generated package sets it, and so the provider knows that a program has made it.",
    },
  };
  return {
    name: "tracking",
    displayName: "Tracking",
    version: manifest.version,
    description: manifest.description,
    publisher,
    ...place,
    keywords: [
      ...manifest.keywords.filter((/** @type {string} */ word) => word !== "pulumi"),
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
        // SDKs of other languages read no object from the environment; the plugin reads it itself.
        ...(variable.type !== "object" && { defaultInfo: { environment: [environmentName(name)] } }),
      })),
    },
    provider: {
      description: `An explicit provider, for several accounts or installations in one program. It ignores the stack's config and the environment.\n\n${describedParts(ofProvider)}`,
      properties: { ...variables, ...ofProgram },
      inputProperties: { ...variables, ...ofProgram },
    },
    types,
    resources: Object.fromEntries(
      catalogue.map((resource) => [pluginToken(resource.type), resourceSchema(resource)]),
    ),
    functions: Object.fromEntries(
      lookups.map((lookup) => [pluginToken(lookup.name), functionSchema(lookup)]),
    ),
  };
}

/** A schema as the text of its file. @param {object} schema */
export const textOf = (schema) => `${JSON.stringify(schema, null, 2)}\n`;
