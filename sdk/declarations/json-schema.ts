import { pluralName, type Resource } from "../../provider/schema/resource";
import { zod } from "../../provider/schema/zod";
import { argumentsOf } from "./entry";
import { LIST_NAME } from "./lists";
import { optionsOf } from "./options";
import { CONFIG_KEY } from "./secret-reference";
import { EXTENSION_SECTION } from "./sections";
import type { Validatables } from "./values";

/** A JSON schema, of draft 7, which is what editors read. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What people should read about an argument of a type, where it is known. */
export type Describe = (type: string, argument: string) => string | undefined;

/**
 * What editors go by while a file is written. It refuses nothing that `declareFrom` takes; what no schema can say,
 * such as whether a list of that name is there, is left to `declareFrom`.
 */
export function jsonSchema(catalogue: readonly Resource[], describe: Describe): JsonSchema {
  const sections = catalogue.map((resource) => [pluralName(resource), sectionOf(resource)]);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Declarations of pulumi-tracking",
    type: "object",
    properties: { lists: LISTS, ...Object.fromEntries(sections) },
    patternProperties: {
      [EXTENSION_SECTION.source]: { description: "For anchors; declareFrom ignores it." },
    },
    additionalProperties: false,
    definitions: Object.fromEntries(catalogue.map((each) => [each.type, resourceOf(each, describe)])),
  };
}

const SCALAR = { type: ["string", "number"] };
const A_KEY = {
  ...{ ...SCALAR, pattern: CONFIG_KEY.source },
  description:
    "The key of the stack's config that holds the secret. Set it with `pulumi config set --secret`.",
  ...sentence("Write the name of a key in the stack's config, such as shopPassword."),
};
const LISTS = {
  description: "Lists that arguments, and other lists, can name instead of their values.",
  type: ["object", "null"],
  patternProperties: {
    [LIST_NAME.source]: {
      description: "A list of values, and of names of other lists.",
      type: "array",
      items: SCALAR,
      ...sentence("Write a list, such as [192.0.2.0/24, 198.51.100.7]."),
    },
  },
  additionalProperties: false,
  ...sentence(
    'A list\'s name is letters, digits, "-" and "_", and no digit comes first; its value is a list.',
  ),
};
const A_LIST = { ...SCALAR, pattern: LIST_NAME.source, description: "The name of one of the lists." };

/** What editors show instead of the pattern or the type that does not fit; validators pass it over. */
function sentence(text: string): JsonSchema {
  return { errorMessage: text, patternErrorMessage: text };
}

function sectionOf({ type }: Resource): JsonSchema {
  return {
    description: `Each ${type}, by the name that the resource has in Pulumi.`,
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
    description: `Arguments of a ${resource.type}, and its resource options.`,
    properties: { ...properties, options: { ...options, description: "Pulumi's resource options." } },
    required: Object.keys(fields).filter((name) => fields[name]?.required),
  };
}

/** @param instead what may stand in a list instead of a value of it */
function mapping(
  fields: Validatables,
  describe: (name: string) => string | undefined = () => undefined,
  instead?: JsonSchema,
): { type: string; properties: Record<string, JsonSchema>; additionalProperties: boolean } {
  const properties = Object.entries(fields).map(([name, field]) => {
    const description = describe(name) ?? field.description ?? field.expected;
    const preset = field.default === undefined ? {} : { default: field.default };
    return [name, { ...written(name, field, instead), description, ...preset }];
  });
  return { type: "object", properties: Object.fromEntries(properties), additionalProperties: false };
}

function written(name: string, field: Validatables[string], instead?: JsonSchema): JsonSchema {
  if (field.secret)
    return {
      type: "object",
      properties: { config: A_KEY },
      required: ["config"],
      additionalProperties: false,
      ...sentence(`${name} is a secret, and never stands in a file: write "${name}: { config: aKey }".`),
    };
  const z = zod();
  const shape = z.toJSONSchema(field.validator(z), { target: "draft-7", io: "input" });
  const says = sentence(`${name} must be ${field.expected}.`);
  const loose = loosened(shape, says, instead);
  // One list's name may stand alone.
  return loose.type === "array" && instead !== undefined ? { anyOf: [loose, instead], ...says } : loose;
}

/** A schema of a program's values as one of a file's: a number is text too, and a list's name its values. */
function loosened(
  { $schema, format, ...schema }: JsonSchema,
  says: JsonSchema,
  instead?: JsonSchema,
): JsonSchema {
  const { type, enum: words, items, anyOf, allOf } = schema;
  const inner = (each: unknown) => (isSchema(each) ? loosened(each, says) : each);
  const entry = inner(items);
  return {
    ...schema,
    ...says,
    ...(type === "string" && words === undefined && SCALAR),
    ...(items !== undefined && {
      items: instead === undefined ? entry : { anyOf: [entry, instead], ...says },
    }),
    ...(Array.isArray(anyOf) && { anyOf: anyOf.map(inner) }),
    ...(Array.isArray(allOf) && { allOf: allOf.map(inner) }),
  };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
