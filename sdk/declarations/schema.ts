import type { ZodType } from "zod";
import type { Field, Zod } from "../../provider/schema/field";
import { flag } from "../../provider/schema/kinds";
import { pluralName, type Resource } from "../../provider/schema/resource";
import type { Validatable } from "../../provider/schema/validate";
import { zod } from "../../provider/schema/zod";

/** The section of shared lists. */
export const LISTS = "lists";
/** The form of a list's name. No address has this form, so a mistyped name among addresses is an error. */
export const LIST_NAME = /^[A-Za-z_][\w-]*$/;
/** The same in words. */
export const LIST_NAME_RULE = 'a list\'s name is letters, digits, "-" and "_", and no digit comes first';
/** Sections of this kind are for anchors, and otherwise not looked at. */
export const EXTENSION_SECTION = /^x-/;
/** A key of the stack's config, with or without its namespace. */
export const CONFIG_KEY = /^([\w.-]+:)?[\w.-]+$/;

/** What may stand in one place of a file, by its names. */
export type FileFields = Readonly<Record<string, FileField>>;

export type FileField = Validatable &
  Pick<Field<unknown>, "lenient"> & {
    /** What it is for, in one sentence. */
    readonly description?: string;
  };

/** The resource options that a file can set, as it sets them: `dependsOn` names resources of the same file. */
export type FileOptions = {
  readonly [name in "protect" | "retainOnDelete" | "deleteBeforeReplace"]?: boolean;
} & { readonly [name in "ignoreChanges" | "aliases" | "dependsOn"]?: string[] };

/** What a shared list is. */
export const sharedList = listOf("A list of values, and of names of other lists.", "values", (z) =>
  z.string(),
);

/** What stands in a file beside a resource's options. */
export function argumentsOf({ inputs }: Resource): FileFields {
  return {
    ...inputs,
    adopt: truth("Adopt the one record that exists with this key instead of failing. Default `false`."),
  };
}

/**
 * What may stand under `options` of a resource.
 *
 * @param paths of all resources in the file, such as `websites.shop`, if they are known
 */
export function optionsOf(
  { inputs }: Resource,
  paths?: readonly string[],
): Record<keyof FileOptions, FileField> {
  const names = Object.keys(inputs);
  return {
    protect: truth(
      "Refuse to delete or replace the record: the default if statistics would be lost with it.",
    ),
    retainOnDelete: truth("Keep the record on the service when the resource goes."),
    deleteBeforeReplace: truth("Delete the old record before the new one is created."),
    ignoreChanges: listOf(
      "Arguments whose changes are not sent.",
      `arguments, of ${names.join(", ")}`,
      (z) => z.enum(names),
      names,
    ),
    aliases: listOf(
      "Names that the resource had before: a rename then changes nothing.",
      "the names that it had before",
      (z) => z.string().min(1),
    ),
    dependsOn: listOf(
      "Resources of this file that have to exist first.",
      "resources in this file, such as [websites.shop]",
      (z) => (paths === undefined ? z.string().regex(/^\w+\../) : z.enum([...paths])),
      paths,
    ),
  };
}

/** The names of those arguments and options whose values are lists (`array`), or `true` and `false` (`boolean`). */
export function namesOf(kind: "array" | "boolean", ...fields: readonly FileFields[]): ReadonlySet<string> {
  const all = fields.flatMap((each) => Object.entries(each));
  return new Set(all.flatMap(([name, { validator }]) => (validator(zod()).type === kind ? name : [])));
}

/** `websites.shop`, `password`: `password: { config: shopPassword }`, and the command that sets that secret. */
export function secretAdvice(path: string, field: string): string {
  const name = path.slice(path.indexOf(".") + 1);
  const key = /^[\w-]+$/.test(name) ? `${name}${field[0]?.toUpperCase()}${field.slice(1)}` : field;
  return `write "${field}: { config: ${key} }", and run "pulumi config set --secret ${key}"`;
}

function truth(description: string): FileField {
  const { default: _, ...field } = flag({ default: false });
  return { ...field, description };
}

function listOf(
  description: string,
  of: string,
  entry: (z: Zod) => ZodType,
  words?: readonly string[],
): FileField {
  const validator = (z: Zod) => z.array(entry(z));
  return { required: false, description, expected: `a list of ${of}`, validator, ...(words && { words }) };
}

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
  const list = sharedList.validator(z).meta({
    ...{ description: sharedList.description },
    ...says("Write a list, such as [192.0.2.0/24, 198.51.100.7]."),
  });
  const lists = section(
    list,
    z.string().regex(LIST_NAME).meta(says(LIST_NAME_RULE)),
    "Lists that arguments, and other lists, can name instead of their values.",
  );
  const ignored = { [EXTENSION_SECTION.source]: { description: "For anchors; declareFrom ignores it." } };
  const file = z.strictObject({ [LISTS]: lists, ...Object.fromEntries(sections) });
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
    const value = field.secret ? reference() : field.validator(z);
    const described = value.meta({ description, ...preset, ...sentence });
    return [name, field.required ? described : described.optional()];
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
