import type { Field, Zod } from "../../provider/schema/field";
import { flag, lines } from "../../provider/schema/kinds";
import type { Resource } from "../../provider/schema/resource";
import { suggest } from "../../provider/schema/suggest";
import { MAX_LINES } from "./document";

/** The resource options that a file can set, as it sets them: `dependsOn` names resources of the same files. */
export type FileOptions = {
  readonly [name in "protect" | "retainOnDelete" | "deleteBeforeReplace"]?: boolean;
} & { readonly [name in "ignoreChanges" | "aliases" | "dependsOn"]?: string[] };

/** A field with its purpose in one sentence. */
export type Described = Field<unknown> & { readonly description?: string };

/**
 * What the options of a resource may be.
 *
 * @param paths the files' resources, such as `websites.shop`, if they are known
 */
export function optionFields(
  { inputs }: Resource,
  paths?: readonly string[],
): Record<keyof FileOptions, Described> {
  const names = Object.keys(inputs);
  const known = paths && new Set(paths);
  return {
    protect: truth("Refuse to delete or replace the record: the default if statistics would be lost."),
    retainOnDelete: truth("Keep the record on the service when the resource goes."),
    deleteBeforeReplace: truth("Delete the old record before the new one is created."),
    ignoreChanges: {
      ...listOf(`these arguments: ${names.join(", ")}`, (z) => z.enum(names)),
      words: names,
      description: "Arguments whose changes are not sent.",
    },
    aliases: {
      ...listOf("earlier names of the resource", (z) => z.string().min(1)),
      description: "Earlier names of the resource.",
    },
    dependsOn: {
      ...listOf("declared resources, such as [websites.shop]", (z) =>
        known === undefined ? z.string().regex(/^\w+\../) : z.string().refine((path) => known.has(path)),
      ),
      ...(paths && { suggest: suggester(paths) }),
      description: "Declared resources that have to exist first.",
    },
  };
}

/** Compares a wrong path with all others, but no more of them than are reported: a file may have thousands. */
function suggester(paths: readonly string[]): (wrong: string) => string {
  const known = new Map<string, string>();
  return (wrong) => {
    const text = known.get(wrong) ?? (known.size < MAX_LINES ? suggest(wrong, paths) : "");
    known.set(wrong, text);
    return text;
  };
}

function truth(description: string): Described {
  return { ...flag(), description };
}

function listOf(of: string, validator: (z: Zod) => ReturnType<Field<string>["validator"]>): Field<unknown> {
  return lines({ expected: `a list of ${of}`, validator, canonical: (text) => text });
}
