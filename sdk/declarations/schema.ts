import type { ZodType } from "zod";
import { pluralName, type Resource } from "../../provider/schema/resource";
import { zod } from "../../provider/schema/zod";
import { argumentsOf, type FileFields, optionsOf } from "./fields";
import { LIST_NAME } from "./lists";

/** Sections of this kind are for anchors, and otherwise not looked at. */
export const EXTENSION_SECTION = /^x-/;
/** A key of the stack's config, with or without its namespace. */
export const CONFIG_KEY = /^([\w.-]+:)?[\w.-]+$/;
/** What a list may be called, in words. */
export const LIST_NAME_RULE = 'a list\'s name is letters, digits, "-" and "_", and no digit comes first';

/** What people should read about an argument of a type, if it is known. */
export type Describe = (type: string, argument: string) => string | undefined;

/**
 * What a file may say, once the values of its lists stand in the place of their names.
 *
 * @param paths of all resources in the file, if they are known
 */
export function fileSchema(catalogue: readonly Resource[], paths?: readonly string[], describe?: Describe) {
  const z = zod();
  const section = (entry: ZodType, name: ZodType<string>, description: string) =>
    z.record(name, entry).nullish().meta({ description });
  const sections = catalogue.map((resource) => {
    const { type } = resource;
    const options = mapping(optionsOf(resource, paths))
      .nullish()
      .meta({ description: "Pulumi's resource options." });
    const own = mapping(argumentsOf(resource), (name) => describe?.(type, name), { options });
    const entry = own.meta({ id: type, description: `Arguments of a ${type}, and its resource options.` });
    const description = `Each ${type}, by the name that the resource has in Pulumi.`;
    return [pluralName(resource), section(entry, z.string(), description)] as const;
  });
  const description = "A list of values, and of names of other lists.";
  const list = z
    .array(z.string())
    .meta({ description, ...says("Write a list, such as [192.0.2.0/24, 198.51.100.7].") });
  const listName = z.string().regex(LIST_NAME).meta(says(LIST_NAME_RULE));
  const lists = section(
    list,
    listName,
    "Lists that arguments, and other lists, can name instead of their values.",
  );
  const ignored = { [EXTENSION_SECTION.source]: { description: "For anchors; declareFrom ignores it." } };
  const file = z.strictObject({ lists, ...Object.fromEntries(sections) });
  return file.meta({ title: "Declarations of pulumi-tracking", patternProperties: ignored });
}

function mapping(
  fields: FileFields,
  describe: (name: string) => string | undefined = () => undefined,
  more: Record<string, ZodType> = {},
) {
  const z = zod();
  const shape = Object.entries(fields).map(([name, field]) => {
    const description = describe(name) ?? field.description ?? field.expected;
    const preset = field.default === undefined ? {} : { default: field.default };
    const inClear = `${name} is a secret, and never stands in a file: write "${name}: { config: aKey }".`;
    const sentence = says(field.secret ? inClear : `${name} must be ${field.expected}.`);
    const value = (field.secret ? reference() : field.validator(z)).meta({
      description,
      ...preset,
      ...sentence,
    });
    return [name, field.required ? value : value.optional()];
  });
  return z.strictObject({ ...Object.fromEntries(shape), ...more });
}

/** `{ config: shopPassword }` */
function reference() {
  const key = zod().string().regex(CONFIG_KEY);
  const description =
    "The key of the stack's config that holds the secret. Set it with `pulumi config set --secret`.";
  const sentence = says("Write the name of a key in the stack's config, such as shopPassword.");
  return zod().strictObject({ config: key.meta({ description, ...sentence }) });
}

/** What editors show instead of the pattern or the type that does not fit; validators pass it over. */
export function says(text: string) {
  return { errorMessage: text, patternErrorMessage: text };
}
