import type { Resource } from "../../provider/schema/resource";
import { zod } from "../../provider/schema/zod";
import { argumentsOf } from "./entry";
import { FREE } from "./file";
import { LIST_NAME } from "./lists";
import { optionsOf } from "./options";
import { section } from "./section";
import { type Checkables, CONFIG_KEY } from "./values";

/** A JSON schema, of draft 7, which is what editors read. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What people should read about an argument of a type, where it is known. */
export type Describe = (type: string, argument: string) => string | undefined;

/**
 * What editors go by while a file is written. It refuses nothing that `declareFrom` takes; what no schema can say,
 * such as whether a list of that name is there, is left to `declareFrom`.
 */
export function jsonSchema(catalogue: readonly Resource[], describe: Describe): JsonSchema {
  const sections = catalogue.map((resource) => [section(resource), sectionOf(resource)]);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Declarations of pulumi-tracking",
    type: "object",
    properties: { lists: LISTS, ...Object.fromEntries(sections) },
    patternProperties: { [FREE.source]: { description: "For anchors; otherwise not looked at." } },
    additionalProperties: false,
    definitions: Object.fromEntries(catalogue.map((each) => [each.type, resourceOf(each, describe)])),
  };
}

const SCALAR = { type: ["string", "number"] };
const A_KEY = "A key of the stack's config, which holds the secret.";
const LISTS = {
  description: "Lists that arguments, and other lists, name instead of their values.",
  type: ["object", "null"],
  patternProperties: { [LIST_NAME.source]: { type: "array", items: SCALAR } },
  additionalProperties: false,
};
const A_LIST = { ...SCALAR, pattern: LIST_NAME.source, description: "The name of one of the lists." };

function sectionOf({ type }: Resource): JsonSchema {
  return {
    description: `Each ${type} by its name, which is the resource's name in the program.`,
    type: ["object", "null"],
    additionalProperties: { $ref: `#/definitions/${type}` },
  };
}

function resourceOf(resource: Resource, describe: Describe): JsonSchema {
  const fields = argumentsOf(resource);
  const options = { ...mapping(optionsOf(resource)), type: ["object", "null"] };
  const { properties, ...rest } = mapping(fields, (name) => describe(resource.type, name), A_LIST);
  return {
    ...rest,
    properties: { ...properties, options: { ...options, description: "Resource options of Pulumi." } },
    required: Object.keys(fields).filter((name) => fields[name]?.required),
  };
}

/** @param instead what may stand in a list instead of a value of it */
function mapping(
  fields: Checkables,
  describe: (name: string) => string | undefined = () => undefined,
  instead?: JsonSchema,
): { type: string; properties: Record<string, JsonSchema>; additionalProperties: boolean } {
  const properties = Object.entries(fields).map(([name, field]) => {
    const description = describe(name) ?? field.allowed;
    const preset = field.default === undefined ? {} : { default: field.default };
    return [name, { ...written(field, instead), description, ...preset }];
  });
  return { type: "object", properties: Object.fromEntries(properties), additionalProperties: false };
}

function written(field: Checkables[string], instead?: JsonSchema): JsonSchema {
  if (field.secret)
    return {
      type: "object",
      properties: { config: { ...SCALAR, pattern: CONFIG_KEY.source, description: A_KEY } },
      required: ["config"],
      additionalProperties: false,
    };
  const z = zod();
  return loosened(z.toJSONSchema(field.accepts(z), { target: "draft-7", io: "input" }), instead);
}

/** A schema of a program's values as one of a file's: a number is text too, and a list's name its values. */
function loosened({ $schema, format, ...schema }: JsonSchema, instead?: JsonSchema): JsonSchema {
  const { type, enum: words, items, anyOf, allOf } = schema;
  const inner = (each: unknown) => (isSchema(each) ? loosened(each) : each);
  const entry = inner(items);
  return {
    ...schema,
    ...(type === "string" && words === undefined && SCALAR),
    ...(items !== undefined && { items: instead === undefined ? entry : { anyOf: [entry, instead] } }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(inner) }),
    ...(Array.isArray(allOf) && { allOf: allOf.map(inner) }),
  };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
