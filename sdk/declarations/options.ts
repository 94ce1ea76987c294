import type { ZodType } from "zod";
import type { Resource } from "../../provider/schema/resource";
import { zod } from "../../provider/schema/zod";
import type { Validatables } from "./values";

/** The resource options that a file can say, as it says them. */
export interface FileOptions {
  readonly protect?: boolean;
  readonly retainOnDelete?: boolean;
  readonly deleteBeforeReplace?: boolean;
  readonly ignoreChanges?: string[];
  /** Names that the resource had before. */
  readonly aliases?: string[];
  /** Resources of the same file, such as `websites.shop`. */
  readonly dependsOn?: string[];
}

/**
 * What may stand under `options` of a resource.
 *
 * @param paths of all resources in the file, such as `websites.shop`, where they are known
 */
export function optionsOf(resource: Resource, paths?: readonly string[]): Validatables {
  const z = zod();
  const names = Object.keys(resource.inputs);
  const flag = (description: string) => option(description, "true or false", z.boolean());
  return {
    protect: flag(
      "Refuse to delete or replace the record. A resource that statistics hang on is protected by default.",
    ),
    retainOnDelete: flag("Keep the record on the service when the resource goes."),
    deleteBeforeReplace: flag("Delete the old record before the new one is created."),
    ignoreChanges: option(
      "Arguments whose changes are not sent.",
      `a list of arguments, of ${names.join(", ")}`,
      z.array(z.enum(names)),
      names,
    ),
    aliases: option(
      "Names that the resource had before, so that a rename changes nothing.",
      "a list of the names that it had before",
      z.array(z.string().min(1)),
    ),
    dependsOn: option(
      "Resources of this file that have to be there first.",
      "a list of resources in this file, such as [websites.shop]",
      z.array(paths === undefined ? z.string().regex(/^\w+\../) : z.enum([...paths])),
      paths,
    ),
  };
}

/** The same with their types; none, where one of them is wrong. */
export function parseOptions(values: object): FileOptions {
  shape ??= shapeOfAll();
  const options = shape.safeParse(values);
  return options.success ? options.data : {};
}

let shape: ReturnType<typeof shapeOfAll> | undefined;

function shapeOfAll() {
  const z = zod();
  const [flag, texts] = [z.exactOptional(z.boolean()), z.exactOptional(z.array(z.string()))];
  return z.object({
    ...{ protect: flag, retainOnDelete: flag, deleteBeforeReplace: flag },
    ...{ ignoreChanges: texts, aliases: texts, dependsOn: texts },
  });
}

const BY_PROGRAM = "is given by the program, for the whole file: declareFrom(path, { … })";
const NO_EFFECT = "has no effect here; the engine does not hand it on";

/** The other resource options, and why a file can't say them. */
export const UNSUPPORTED_OPTIONS: ReadonlyMap<string, string> = new Map([
  ["adopt", "is an argument, and stands beside options"],
  [
    "import",
    'is not supported by dynamic providers; run "npx pulumi-tracking import --declared --apply" instead',
  ],
  ["parent", BY_PROGRAM],
  ["provider", BY_PROGRAM],
  ["transforms", BY_PROGRAM],
  ["transformations", BY_PROGRAM],
  ["hooks", "are functions, which only a program has"],
  ["deletedWith", "is for what goes when something else goes; nothing here does"],
  ["replaceOnChanges", NO_EFFECT],
  ["customTimeouts", NO_EFFECT],
  ["additionalSecretOutputs", "is not needed: secrets are secret already"],
  ["version", "is of plugins; this provider is the installed package"],
  ["pluginDownloadURL", "is of plugins; this provider is the installed package"],
]);

function option(
  description: string,
  expected: string,
  shape: ZodType,
  names: readonly string[] = [],
): Validatables[string] {
  return { required: false, description, expected, validator: () => shape, names };
}
