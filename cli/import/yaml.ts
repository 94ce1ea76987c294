import { dirname, join, relative, sep } from "node:path";
import { pluralName, type Resource, type Values } from "../../provider/schema/resource";
import { validateResource } from "../../provider/schema/validate";
import { nearest } from "../pulumi/project";
import { comments, escapeInvisible, nonDefaultArgs, sharedLists, type WrittenRecord } from "./written-record";

const SCHEMA = "node_modules/pulumi-tracking/dist/tracking.schema.json";

/**
 * The records as a file for `tracking.declareFrom`.
 *
 * @param file its path: its first line names the schema relative to it, so that editors complete and check the file
 * @param remarks what a reader should know of all of them
 * @param usedLists names of lists in files that are read with it
 */
export async function generateYaml(
  records: readonly WrittenRecord[],
  file: string,
  remarks: readonly string[] = [],
  usedLists: readonly string[] = [],
): Promise<string> {
  const { Document, visit, YAMLMap } = await import("yaml");
  const document = new Document(new YAMLMap());
  const add = (section: string, name: string, value: unknown, ownRemarks: string[] = []) => {
    if (!document.has(section)) document.set(section, new YAMLMap());
    const key = document.createNode(name);
    if (ownRemarks.length > 0) key.commentBefore = ownRemarks.map((remark) => ` ${remark}`).join("\n");
    document.addIn([section], document.createPair(key, value));
  };
  const lists = sharedLists(records, usedLists);
  for (const [json, name] of lists) add("lists", name, JSON.parse(json));
  for (const record of records) {
    const args = Object.entries(nonDefaultArgs(record)).map(([name, value]) => {
      const shared = lists.get(JSON.stringify(value));
      return [name, shared === undefined ? value : [shared]];
    });
    add(pluralName(record.resource), record.name, Object.fromEntries(args), comments(record));
  }
  visit(document, {
    Scalar: (_key, scalar) => {
      const { value } = scalar;
      if (typeof value === "string" && value !== escapeInvisible(value)) scalar.type = "QUOTE_DOUBLE";
    },
  });
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  const schema = relative(dirname(file), nearest(dirname(file), [SCHEMA]) ?? join(dirname(file), SCHEMA));
  const head = `# yaml-language-server: $schema=${schema.split(sep).join("/")}\n`;
  return head + remarks.map((remark) => `# ${remark}\n`).join("") + escapeInvisible(text);
}

/** Returns the argument of a record that a file can't declare, or undefined. */
export function unfitForYaml(resource: Resource, state: Values): string | undefined {
  const { mistakes } = validateResource(resource, {}, state);
  return mistakes.find(({ lenient }) => !lenient)?.argument;
}
