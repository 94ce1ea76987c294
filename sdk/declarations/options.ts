import type { Field, Zod } from "../../provider/schema/field";
import { flag, lines } from "../../provider/schema/kinds";
import type { Resource } from "../../provider/schema/resource";

/** The resource options that a file can set, as it sets them. */
export type FileOptions = {
  readonly [name in "protect" | "retainOnDelete" | "deleteBeforeReplace"]?: boolean;
} & { readonly [name in "ignoreChanges" | "aliases"]?: string[] };

/** A field with its purpose in one sentence. */
export type Described = Field<unknown> & { readonly description?: string };

/** What the options of a resource may be. */
export function optionFields({ inputs }: Resource): Record<keyof FileOptions, Described> {
  const names = Object.keys(inputs);
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
  };
}

function truth(description: string): Described {
  return { ...flag(), description };
}

function listOf(of: string, validator: (z: Zod) => ReturnType<Field<string>["validator"]>): Field<unknown> {
  return lines({ expected: `a list of ${of}`, validator, canonical: (text) => text });
}
