import type { core, ZodArray, ZodType } from "zod";
import type { Field, Zod } from "../../provider/schema/field";
import { flag } from "../../provider/schema/kinds";
import { pluralName, type Resource, type Values } from "../../provider/schema/resource";
import { ruleViolations, type Validatable } from "../../provider/schema/validate";
import { zod } from "../../provider/schema/zod";

/** The section of shared lists. */
export const LISTS = "lists";
/** The form of a list's name. No address has this form, so a mistyped name among addresses is an error. */
const LIST_NAME = /^[A-Za-z_][\w-]*$/;
/** The same in words. */
export const LIST_NAME_RULE = 'a list\'s name is letters, digits, "-" and "_", and no digit comes first';
/** Sections of this kind are for anchors, and otherwise ignored. */
export const EXTENSION_SECTION = /^x-/;
/** A key of the stack's config, with or without its namespace. */
export const CONFIG_KEY = /^([\w.-]+:)?[\w.-]+$/;

/** What may be written in one place of a file. */
export type FileField = Validatable &
  Pick<Field<unknown>, "lenient"> & {
    /** Its purpose, in one sentence. */
    readonly description?: string;
    /** What a mapping may contain, by name. */
    readonly members?: FileFields;
    /** What a mapping may contain under any name. */
    readonly each?: FileField;
  };

/** What a mapping may contain, by name. */
export type FileFields = Readonly<Record<string, FileField>>;

/** What a file declares: paths of resources, such as `websites.shop`, and names of lists. */
export type DeclaredNames = Readonly<Record<"paths" | "lists", readonly string[]>>;

/** The resource options that a file can set, as it sets them: `dependsOn` names resources of the same file. */
export type FileOptions = {
  readonly [name in "protect" | "retainOnDelete" | "deleteBeforeReplace"]?: boolean;
} & { readonly [name in "ignoreChanges" | "aliases" | "dependsOn"]?: string[] };

/**
 * What a file may contain once names of lists are replaced by their values, without sections for anchors.
 *
 * @param declared what the file declares, if it is known
 */
export function fileField(catalogue: readonly Resource[], declared?: DeclaredNames): FileField {
  const list = listOf("A list of values, and of names of other lists.", "values", (z) => z.string());
  const sections = catalogue.map((resource): [string, FileField] => {
    const description = `Each ${resource.type}, by the name that the resource has in Pulumi.`;
    const example = `shop: { ${resource.key}: … }`;
    return [pluralName(resource), sectionOf(resourceField(resource, declared), example, description)];
  });
  const purpose = "Lists that arguments, and other lists, can name instead of their values.";
  const members = {
    [LISTS]: sectionOf(list, "office: [192.0.2.0/24]", purpose, LIST_NAME),
    ...Object.fromEntries(sections),
  };
  const ignored = { [EXTENSION_SECTION.source]: { description: "For anchors; declareFrom ignores it." } };
  const validator = () =>
    mapping(members).meta({ title: "Declarations of pulumi-tracking", patternProperties: ignored });
  return { required: true, expected: namesSuchAs("websites:, or {} to declare nothing"), members, validator };
}

function sectionOf(each: FileField, example: string, description: string, names?: RegExp): FileField {
  const validator = (z: Zod) => {
    const name = names ? z.string().regex(names).meta({ errorMessage: LIST_NAME_RULE }) : z.string();
    return z.record(name, each.validator(z)).nullish();
  };
  return { required: false, expected: namesSuchAs(example), description, each, validator };
}

function resourceField(resource: Resource, declared?: DeclaredNames): FileField {
  const { type, key } = resource;
  const members = argumentsOf(resource, declared);
  const report = (values: Values, { addIssue }: core.$RefinementCtx) => {
    for (const rule of values.adopt === true ? [] : ruleViolations(resource, values)) {
      const without = (name: string) => ruleViolations(resource, { ...values, [name]: undefined });
      const cause = Object.keys(values).find((name) => without(name).length === 0);
      addIssue({ code: "custom", path: [rule.argument], params: { rule, cause } });
    }
  };
  // Other mistakes are no reason to stop before the rule.
  const when = ({ value }: core.ParsePayload) => typeof value === "object" && value !== null;
  const validator = () =>
    mapping(members)
      .superRefine(report, { when })
      .meta({ id: type, description: `Arguments of a ${type}, and its resource options.` });
  return { required: true, expected: namesSuchAs(`{ ${key}: … }`), members, validator };
}

/** What may be written below the name of a resource. */
export function argumentsOf(resource: Resource, declared?: DeclaredNames): FileFields {
  const inputs = Object.entries(resource.inputs).map(([name, field]) => {
    const list = declared ? { words: declared.lists, correct: asList } : { validator: orListName(field) };
    return [name, { ...field, ...(field.secret && reference), ...(isKind("array", field) && list) }];
  });
  const options = optionsOf(resource, declared);
  return {
    ...Object.fromEntries(inputs),
    adopt: truth("Adopt the existing record with this key instead of failing. Default `false`."),
    options: {
      required: false,
      expected: "resource options, such as { protect: false }",
      description: "Pulumi's resource options.",
      members: options,
      validator: () => mapping(options).nullish(),
    },
  };
}

/** What may be written under `options` of a resource. */
export function optionsOf(
  { inputs }: Resource,
  { paths }: Partial<DeclaredNames> = {},
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

/** Whether the values of a field are lists (`array`), or `true` and `false` (`boolean`). */
export function isKind(kind: "array" | "boolean", { validator }: Pick<FileField, "validator">): boolean {
  return validator(zod()).type === kind;
}

/** A list in a file whose lists are unknown: a name can stand for its values, alone or among others. */
function orListName({ validator }: Pick<FileField, "validator">): FileField["validator"] {
  return (z) => {
    const name = z.string().regex(LIST_NAME).meta({ description: "The name of one of the lists." });
    const list = validator(z) as ZodArray;
    return z.union([z.array(z.union([list.element, name])), name]);
  };
}

/** `websites.shop`, `password`: `password: { config: shopPassword }`, and the command that sets that secret. */
export function secretAdvice(path: string, field: string): string {
  const name = path.slice(path.indexOf(".") + 1);
  const key = /^[\w-]+$/.test(name) ? `${name}${field[0]?.toUpperCase()}${field.slice(1)}` : field;
  return `write "${field}: { config: ${key} }", and run "pulumi config set --secret ${key}"`;
}

function truth(description: string): FileField {
  return { ...flag({ default: false }), default: undefined, description };
}

/** Entries without brackets, as a list. */
const asList = (text: string) => text.split(/[\s,;[\]]+-?/).filter((each) => each !== "");

function listOf(
  description: string,
  of: string,
  entry: (z: Zod) => ZodType,
  words?: readonly string[],
): FileField {
  const validator = (z: Zod) => z.array(entry(z)).describe(description);
  const expected = `a list of ${of}`;
  return { required: false, description, expected, validator, correct: asList, ...(words && { words }) };
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

function namesSuchAs(example: string): string {
  return `a mapping of names to values, such as ${example}`;
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
    description: description ?? expected,
    errorMessage: `${name} must be ${expected}.`,
    ...(preset !== undefined && { default: preset }),
  });
}
