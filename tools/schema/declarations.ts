import type { ZodArray, ZodType } from "zod";
import { pluralName, type Resource } from "../../provider/schema/resource";
import { adoptField } from "../../provider/schema/validate";
import { zod } from "../../provider/schema/zod";
import { CONFIG_KEY } from "../../sdk/declarations/declaration";
import { DEFAULTS } from "../../sdk/declarations/file";
import { LIST_NAME, LIST_NAME_RULE, LISTS, sharedList } from "../../sdk/declarations/lists";
import { type Described, optionFields } from "../../sdk/declarations/options";

/** A JSON schema of draft 7, which editors read. */
type JsonSchema = Record<string, unknown>;
/** The description of an argument of a type. */
type Words = (type: string, argument: string) => string | undefined;
type Part = Pick<Described, "expected" | "validator"> &
  Partial<Pick<Described, "required" | "default" | "description">>;

/** Copies an argument's sentence to all parts of its schema, since editors show that of the part that fails. */
function explain(schema: JsonSchema): void {
  const { items = [], anyOf = [], errorMessage } = schema;
  for (const part of [items, anyOf].flat() as JsonSchema[]) {
    // A mapping's sentence would hide which of its names is not allowed.
    if (part.type !== "object") part.errorMessage ??= errorMessage;
    explain(part);
  }
}

function mapping(parts: Readonly<Record<string, Part>>) {
  const shape = Object.entries(parts).map(([name, { required, expected, validator, ...words }]) => {
    const { description = expected, default: preset } = words;
    const errorMessage = `${name} must be ${expected}.`;
    const value = validator(zod()).meta({
      description,
      errorMessage,
      ...(preset !== undefined && { default: preset }),
    });
    return [name, required ? value : value.optional()];
  });
  return zod().strictObject(Object.fromEntries(shape));
}

/** A list's name can stand for its values, alone or among others. */
function orListName(field: Described): Part {
  if (field.shape !== "list") return field;
  return {
    ...field,
    validator: (z) => {
      const name = z.string().regex(LIST_NAME).meta({ description: "The name of one of the lists." });
      return z.union([z.array(z.union([(field.validator(z) as ZodArray).element, name])), name]);
    },
  };
}

/** What a file has instead of a secret: a key of the stack's config. */
function reference(field: Described): Part {
  const words = {
    description: "A key of the stack's config, set with `pulumi config set --secret`.",
    errorMessage: "Write the name of a key in the stack's config, such as shopPassword.",
  };
  return {
    ...field,
    expected: "a secret of the stack's config, such as { config: shopPassword }",
    validator: (z) => z.strictObject({ config: z.string().regex(CONFIG_KEY).meta(words) }),
  };
}

function partsOf(resource: Resource, words: Words): Record<string, Part> {
  const options: Part = {
    expected: "resource options, such as { protect: false }",
    description: "Pulumi's resource options.",
    validator: () => mapping(optionFields(resource)).nullable(),
  };
  const args = Object.entries({ ...resource.inputs, adopt: adoptField }).map(([name, field]) => [
    name,
    { ...(field.secret ? reference(field) : orListName(field)), description: words(resource.type, name) },
  ]);
  return { ...Object.fromEntries(args), options };
}

/** What may stand below the name of a resource. */
function argumentsOf(resource: Resource, words: Words): ZodType {
  const { type } = resource;
  return mapping(partsOf(resource, words)).meta({
    id: type,
    description: `Arguments of a ${type}, and its resource options.`,
  });
}

/** What all declarations of a resource may have. */
function usual(resource: Resource, words: Words): Part {
  const description = `What each ${resource.type} has, unless it says otherwise.`;
  const parts = Object.entries(partsOf(resource, words)).map(([name, { default: _, ...part }]) => [
    name,
    { ...part, required: false },
  ]);
  const expected = "arguments, such as { emailReports: true }";
  return { expected, description, validator: () => mapping(Object.fromEntries(parts)).nullable() };
}

function section(member: ZodType, example: string, description: string, name = zod().string()): Part {
  const expected = `a mapping of names to values, such as ${example}`;
  return { expected, description, validator: (z) => z.record(name, member).nullable() };
}

/**
 * The schema for editors. It accepts everything that `declareFrom` accepts, which also checks what no schema can
 * express, such as whether a list of some name exists.
 *
 * @param words by default each argument is described by what it must be
 */
export function jsonSchema(catalogue: readonly Resource[], words: Words = () => undefined): JsonSchema {
  const listName = zod().string().regex(LIST_NAME).meta({ errorMessage: LIST_NAME_RULE });
  const list = sharedList.validator(zod()).meta({ description: "A list of values." });
  const purpose = "Lists that arguments can name instead of their values.";
  const sections = catalogue.map((resource) => {
    const description = `Each ${resource.type}, by the name that the resource has in Pulumi.`;
    return [
      pluralName(resource),
      section(argumentsOf(resource, words), `shop: { ${resource.key}: … }`, description),
    ];
  });
  const members = {
    [DEFAULTS]: {
      expected:
        "the arguments that all declarations of a section have, such as websites: { emailReports: true }",
      description: "What each declaration of a section has, unless it says otherwise.",
      validator: () =>
        mapping(
          Object.fromEntries(catalogue.map((resource) => [pluralName(resource), usual(resource, words)])),
        ).nullable(),
    },
    [LISTS]: section(list, "office: [192.0.2.0/24]", purpose, listName),
    ...Object.fromEntries(sections),
  };
  const file = mapping(members).meta({ title: "Declarations of pulumi-tracking" });
  return zod().toJSONSchema(file, {
    target: "draft-7",
    io: "input",
    override: ({ jsonSchema: part, path }) => {
      // Editors read unquoted text such as `0123` as a number or a boolean, but a name as text.
      if (part.type === "string" && !part.enum && path.at(-1) !== "propertyNames")
        Object.assign(part, { type: ["string", "number", "boolean"] });
      delete part.format;
      explain(part);
    },
  });
}
