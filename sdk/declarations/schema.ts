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
/** Sections of this kind are for anchors, and otherwise ignored. */
export const EXTENSION_SECTION = /^x-/;
/** A key of the stack's config, with or without its namespace. */
export const CONFIG_KEY = /^([\w.-]+:)?[\w.-]+$/;

/** What a mapping in a file may contain, by name. */
export type FileFields = Readonly<Record<string, FileField>>;

export type FileField = Validatable &
  Pick<Field<unknown>, "lenient"> & {
    /** Its purpose, in one sentence. */
    readonly description?: string;
  };

/** The resource options that a file can set, as it sets them: `dependsOn` names resources of the same file. */
export type FileOptions = {
  readonly [name in "protect" | "retainOnDelete" | "deleteBeforeReplace"]?: boolean;
} & { readonly [name in "ignoreChanges" | "aliases" | "dependsOn"]?: string[] };

/** A shared list. */
export const sharedList = listOf("A list of values, and of names of other lists.", "values", (z) =>
  z.string(),
);

/**
 * What may be written below the name of a resource.
 *
 * @param paths of all resources in the file, such as `websites.shop`, if they are known
 */
export function argumentsOf(resource: Resource, paths?: readonly string[]): FileFields {
  const inputs = Object.entries(resource.inputs).map(([name, field]) => [
    name,
    field.secret ? { ...field, ...reference } : field,
  ]);
  return {
    ...Object.fromEntries(inputs),
    adopt: truth("Adopt the existing record with this key instead of failing. Default `false`."),
    options: {
      ...{ required: false, expected: "resource options, such as { protect: false }" },
      description: "Pulumi's resource options.",
      validator: () => mapping(optionsOf(resource, paths)).nullish(),
    },
  };
}

/** What may be written under `options` of a resource. */
export function optionsOf(
  { inputs }: Resource,
  paths?: readonly string[],
): Record<keyof FileOptions, FileField> {
  const names = Object.keys(inputs);
  return {
    protect: truth("Refuse to delete or replace the record: the default if statistics would be lost."),
    retainOnDelete: truth("Keep the record on the service when the resource goes."),
    deleteBeforeReplace: truth("Delete the old record before the new one is created."),
    ignoreChanges: listOf(
      "Arguments whose changes are not sent.",
      `these arguments: ${names.join(", ")}`,
      (z) => z.enum(names),
      names,
    ),
    aliases: listOf("Earlier names of the resource.", "earlier names of the resource", (z) =>
      z.string().min(1),
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

/** What a file has instead of a secret: `{ config: shopPassword }`. */
const reference: Pick<FileField, "expected" | "validator"> = {
  expected: "a secret of the stack's config, such as { config: shopPassword }",
  validator: (z) =>
    z.strictObject({
      config: z.string().regex(CONFIG_KEY).meta({
        description: "A key of the stack's config, set with `pulumi config set --secret`.",
        errorMessage: "Write the name of a key in the stack's config, such as shopPassword.",
      }),
    }),
};

/**
 * The sections of a file.
 *
 * @param paths of all resources in the file, if they are known
 */
export function sectionsOf(catalogue: readonly Resource[], paths?: readonly string[]): FileFields {
  const expected = "a mapping of names to values";
  const sections = catalogue.map((resource): [string, FileField] => {
    const { type } = resource;
    const entry = mapping(argumentsOf(resource, paths)).meta({
      id: type,
      description: `Arguments of a ${type}, and its resource options.`,
    });
    const description = `Each ${type}, by the name that the resource has in Pulumi.`;
    const validator = (z: Zod) => z.record(z.string(), entry).nullish();
    return [pluralName(resource), { required: false, expected, description, validator }];
  });
  const lists: FileField = {
    ...{ required: false, expected },
    description: "Lists that arguments, and other lists, can name instead of their values.",
    validator: (z) => {
      const name = z.string().regex(LIST_NAME).meta({ errorMessage: LIST_NAME_RULE });
      return z.record(name, described(LISTS, sharedList)).nullish();
    },
  };
  return { [LISTS]: lists, ...Object.fromEntries(sections) };
}

/** The schema of a file whose names of lists are replaced by their values. Editors show `errorMessage`. */
export function fileSchema(sections: FileFields) {
  const ignored = { [EXTENSION_SECTION.source]: { description: "For anchors; declareFrom ignores it." } };
  return mapping(sections).meta({ title: "Declarations of pulumi-tracking", patternProperties: ignored });
}

function mapping(fields: FileFields) {
  const shape = Object.entries(fields).map(([name, field]) => {
    const value = described(name, field);
    return [name, field.required ? value : value.optional()];
  });
  return zod().strictObject(Object.fromEntries(shape));
}

function described(name: string, { description, expected, validator, default: preset }: FileField) {
  return validator(zod()).meta({
    ...{ description: description ?? expected, errorMessage: `${name} must be ${expected}.` },
    ...(preset !== undefined && { default: preset }),
  });
}
