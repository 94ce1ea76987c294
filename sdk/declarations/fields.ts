import type { ZodType } from "zod";
import type { Field } from "../../provider/schema/field";
import type { Resource } from "../../provider/schema/resource";
import type { Validatable } from "../../provider/schema/validate";
import { zod } from "../../provider/schema/zod";

/** What may be written in one place of a file, by its names. */
export type FileFields = Readonly<Record<string, FileField>>;

export type FileField = Validatable &
  Pick<Field<unknown>, "lenient"> &
  Partial<Pick<Field<unknown>, "encode">> & {
    /** What it is for, in one sentence. */
    readonly description?: string;
    /** What its entries may be. */
    readonly names?: readonly string[];
  };

/** What stands in a file beside a resource's options. */
export function argumentsOf({ inputs }: Resource): FileFields {
  const description = "Adopt the one record that exists with this key instead of failing. Default `false`.";
  return { ...inputs, adopt: option(description, "true or false", zod().boolean()) };
}

/** The resource options that a file can set, as it sets them: `dependsOn` names resources of the same file. */
export type FileOptions = {
  readonly [name in "protect" | "retainOnDelete" | "deleteBeforeReplace"]?: boolean;
} & { readonly [name in "ignoreChanges" | "aliases" | "dependsOn"]?: string[] };

/**
 * What may stand under `options` of a resource.
 *
 * @param paths of all resources in the file, such as `websites.shop`, if they are known
 */
export function optionsOf(
  { inputs }: Resource,
  paths?: readonly string[],
): Record<keyof FileOptions, FileField> {
  const z = zod();
  const names = Object.keys(inputs);
  const flag = (description: string) => option(description, "true or false", z.boolean());
  const list = (description: string, expected: string, entry: ZodType, names?: readonly string[]) =>
    option(description, `a list of ${expected}`, z.array(entry), names);
  const [anyName, path] = [
    z.string().min(1),
    paths === undefined ? z.string().regex(/^\w+\../) : z.enum([...paths]),
  ];
  const some = "resources in this file, such as [websites.shop]";
  return {
    protect: flag("Refuse to delete or replace the record: the default if statistics would be lost with it."),
    retainOnDelete: flag("Keep the record on the service when the resource goes."),
    deleteBeforeReplace: flag("Delete the old record before the new one is created."),
    ignoreChanges: list(
      "Arguments whose changes are not sent.",
      `arguments, of ${names.join(", ")}`,
      z.enum(names),
      names,
    ),
    aliases: list(
      "Names that the resource had before: a rename then changes nothing.",
      "the names that it had before",
      anyName,
    ),
    dependsOn: list("Resources of this file that have to exist first.", some, path, paths),
  };
}

/** The names of those arguments and options whose values are lists (`array`), or `true` and `false` (`boolean`). */
export function namesOf(kind: "array" | "boolean", ...fields: readonly FileFields[]): ReadonlySet<string> {
  const all = fields.flatMap((each) => Object.entries(each));
  return new Set(all.flatMap(([name, { validator }]) => (validator(zod()).type === kind ? name : [])));
}

/** `websites.shop`, `password`: `shopPassword`. */
export function exampleKey(path: string, field: string): string {
  const name = path.slice(path.indexOf(".") + 1);
  return /^[\w-]+$/.test(name) ? `${name}${field[0]?.toUpperCase()}${field.slice(1)}` : field;
}

const BY_PROGRAM = "is given by the program, for the whole file: declareFrom(path, { … })";
const NO_EFFECT = "has no effect: the engine does not pass it to dynamic providers";
const OF_PLUGINS = "is of plugins; this provider is the installed package";

/** The other resource options, and why a file can't set them. */
export const UNSUPPORTED_OPTIONS: ReadonlyMap<string, string> = new Map([
  ["adopt", "is an argument, and stands beside options"],
  [
    "import",
    'is not supported by dynamic providers; run "npx pulumi-tracking import --declared --apply" instead',
  ],
  ...["parent", "provider", "transforms", "transformations"].map((name) => [name, BY_PROGRAM] as const),
  ["hooks", "are functions, which only a program has"],
  ["deletedWith", "is for what goes when something else goes; nothing here does"],
  ...["replaceOnChanges", "customTimeouts"].map((name) => [name, NO_EFFECT] as const),
  ["additionalSecretOutputs", "is not needed: secrets are secret already"],
  ...["version", "pluginDownloadURL"].map((name) => [name, OF_PLUGINS] as const),
]);

function option(description: string, expected: string, shape: ZodType, names?: readonly string[]): FileField {
  return { required: false, description, expected, validator: () => shape, ...(names && { names }) };
}
