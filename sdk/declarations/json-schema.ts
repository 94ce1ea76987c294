import type { Resource } from "../../provider/schema/resource";
import { zod } from "../../provider/schema/zod";
import { type Describe, fileSchema, LIST_NAME, says } from "./schema";

/** A JSON schema of draft 7, which editors read. */
export type JsonSchema = Record<string, unknown>;

const A_LIST = { type: "string", pattern: LIST_NAME.source, description: "The name of one of the lists." };

/**
 * The schema for editors, derived from the one that validates a file. It accepts everything that `declareFrom` accepts.
 * `declareFrom` also checks what no schema can express, such as whether a list of some name exists.
 */
export function jsonSchema(catalogue: readonly Resource[], describe?: Describe): JsonSchema {
  const schema: JsonSchema = zod().toJSONSchema(fileSchema(catalogue, undefined, describe), {
    ...{ target: "draft-7", io: "input" },
    override: ({ jsonSchema: each, path }) => {
      const isText = each.type === "string" && each.enum === undefined;
      if (isText && path.at(-1) !== "propertyNames") readAsWritten(each);
    },
  });
  // A list's name can stand for its values, alone or among others.
  for (const { properties } of members(schema.definitions))
    for (const argument of members(properties))
      if (argument.type === "array") {
        const { type, items } = argument;
        delete argument.type;
        delete argument.items;
        argument.anyOf = [{ type, items: { anyOf: [items, A_LIST] } }, A_LIST];
      }
  explain(schema);
  return schema;
}

/** Text in a file, such as `0123`, is a number or a boolean to an editor. */
function readAsWritten(schema: JsonSchema): void {
  Object.assign(schema, { type: ["string", "number", "boolean"] });
  delete schema.format;
  for (const each of members(schema.allOf)) delete each.type;
}

/** Copies an argument's sentence to all parts of its schema, since editors show that of the part that fails. */
function explain(schema: JsonSchema, inherited: JsonSchema = {}): void {
  if ("pattern" in schema) Object.assign(schema, { ...inherited, ...schema });
  const { errorMessage: own } = schema;
  const sentence = typeof own === "string" ? says(own) : inherited;
  for (const [key, part] of Object.entries(schema))
    if (typeof part === "object" && part !== null)
      explain(
        part as JsonSchema,
        ["items", "anyOf", "allOf"].includes(key) || Array.isArray(schema) ? sentence : {},
      );
}

function members(of: unknown): JsonSchema[] {
  return Object.values(of ?? {});
}
