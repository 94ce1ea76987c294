import { format } from "../../provider/schema/format";
import { fieldOf, pluralName, type Resource, type Values } from "../../provider/schema/resource";
import { validate } from "../../provider/schema/validate";
import {
  escapeInvisible,
  hasInvisible,
  nonDefaultArgs,
  secretComment,
  sharedLists,
  type WrittenRecord,
} from "./written-record";

/** Lets editors complete and check the file. */
const SCHEMA = "# yaml-language-server: $schema=node_modules/pulumi-tracking/dist/tracking.schema.json\n";

/** The records as a file for `tracking.declareFrom`. */
export async function generateYaml(records: readonly WrittenRecord[]): Promise<string> {
  const { Document, visit, YAMLMap } = await import("yaml");
  const document = new Document(new YAMLMap());
  const add = (section: string, name: string, value: unknown, comment?: string) => {
    if (!document.has(section)) document.set(section, new YAMLMap());
    const key = document.createNode(name);
    if (comment !== undefined) key.commentBefore = ` ${comment}`;
    document.addIn([section], document.createPair(key, value));
  };
  const lists = sharedLists(records);
  for (const [json, name] of lists) add("lists", name, JSON.parse(json));
  for (const each of records) {
    const args = Object.entries(nonDefaultArgs(each)).map(([name, value]) => {
      const shared = lists.get(JSON.stringify(value));
      return [name, shared === undefined ? value : [shared]];
    });
    add(pluralName(each.resource), each.name, Object.fromEntries(args), secretComment(each));
  }
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === "string" && hasInvisible(scalar.value)) scalar.type = "QUOTE_DOUBLE";
    },
  });
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  return SCHEMA + escapeInvisible(text, escapeCode);
}

function escapeCode(code: number): string {
  const digits = code.toString(16);
  return code > 0xffff ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
}

/**
 * The part of a record's state that a file can declare. A value that a file can't hold is omitted from the file and
 * from state, so it stays unchanged on the service.
 */
export function fitForYaml(
  resource: Resource,
  state: Values,
): { readonly state: Values; readonly omitted: readonly string[] } {
  const omitted: string[] = [];
  const fit: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(state)) {
    const field = fieldOf(resource, name);
    const { failures } = validate("", { [name]: field }, { [name]: value });
    if (failures.length === 0 || field.lenient || field.required) fit[name] = value;
    else omitted.push(`${name} ${format(field, value)}`);
  }
  return { state: fit, omitted };
}
