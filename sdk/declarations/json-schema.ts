import type { Resource } from "../../provider/schema/resource";
import { zod } from "../../provider/schema/zod";
import { fileField } from "./schema";

/** A JSON schema of draft 7, which editors read. */
export type JsonSchema = Record<string, unknown>;

/**
 * The schema for editors, derived from the one that validates a file. It accepts everything that `declareFrom` accepts.
 * `declareFrom` also checks what no schema can express, such as whether a list of some name exists.
 */
export function jsonSchema(catalogue: readonly Resource[]): JsonSchema {
  return zod().toJSONSchema(fileField(catalogue).validator(zod()), {
    target: "draft-7",
    io: "input",
    override: ({ jsonSchema: each, path }) => {
      // Editors read unquoted text such as `0123` as a number or a boolean, but a name as text.
      if (each.type === "string" && !each.enum && path.at(-1) !== "propertyNames")
        Object.assign(each, { type: ["string", "number", "boolean"] });
      for (const part of each.allOf ?? []) delete part.type;
      delete each.format;
      explain(each);
    },
  });
}

/** Copies an argument's sentence to all parts of its schema, since editors show that of the part that fails. */
function explain(schema: JsonSchema): void {
  const { items = [], anyOf = [], allOf = [], errorMessage } = schema;
  for (const part of [items, anyOf, allOf].flat() as JsonSchema[]) {
    // A mapping's sentence would hide which of its names is not allowed.
    if (part.type !== "object") part.errorMessage ??= errorMessage;
    explain(part);
  }
}
