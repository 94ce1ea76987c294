import type { Resource } from "../../provider/schema/resource";
import { zod } from "../../provider/schema/zod";
import { fileSchema, LIST_NAME, sectionsOf } from "./schema";

/** A JSON schema of draft 7, which editors read. */
export type JsonSchema = Record<string, unknown>;

const A_LIST = { type: "string", pattern: LIST_NAME.source, description: "The name of one of the lists." };

/**
 * The schema for editors, derived from the one that validates a file. It accepts everything that `declareFrom` accepts.
 * `declareFrom` also checks what no schema can express, such as whether a list of some name exists.
 *
 * @param describe what people should read about an argument of a type, if it is known
 */
export function jsonSchema(
  catalogue: readonly Resource[],
  describe: (type: string, argument: string) => string | undefined,
): JsonSchema {
  const schema: JsonSchema = zod().toJSONSchema(fileSchema(sectionsOf(catalogue)), {
    ...{ target: "draft-7", io: "input" },
    override: ({ jsonSchema: each, path }) => {
      const isText = each.type === "string" && each.enum === undefined;
      if (isText && path.at(-1) !== "propertyNames") readAsWritten(each);
    },
  });
  for (const [type, { properties }] of members(schema.definitions))
    for (const [name, argument] of members(properties)) {
      argument.description = describe(type, name) ?? argument.description;
      const { type: kind, items } = argument;
      if (kind !== "array") continue;
      // A list's name can stand for its values, alone or among others.
      delete argument.type;
      delete argument.items;
      argument.anyOf = [{ type: kind, items: { anyOf: [items, A_LIST] } }, A_LIST];
    }
  explain(schema);
  return schema;
}

/** Lets editors accept unquoted text such as `0123`, which they read as a number or a boolean. */
function readAsWritten(schema: JsonSchema): void {
  Object.assign(schema, { type: ["string", "number", "boolean"] });
  delete schema.format;
  for (const [, each] of members(schema.allOf)) delete each.type;
}

/** Copies an argument's sentence to all parts of its schema, since editors show that of the part that fails. */
function explain(schema: JsonSchema, inherited?: unknown): void {
  const { errorMessage = inherited } = schema;
  if ("pattern" in schema && errorMessage !== undefined)
    Object.assign(schema, { errorMessage, patternErrorMessage: errorMessage });
  for (const [key, part] of members(schema)) {
    const isPart = ["items", "anyOf", "allOf"].includes(key) || Array.isArray(schema);
    if (typeof part === "object" && part !== null) explain(part, isPart ? errorMessage : undefined);
  }
}

function members(of: unknown): [string, JsonSchema][] {
  return Object.entries(of ?? {});
}
