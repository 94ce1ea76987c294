import type * as yaml from "yaml";
import { catalogue } from "../../provider/resources";
import { format } from "../../provider/schema/format";
import { fieldOf, pluralName, type Resource, type Values } from "../../provider/schema/resource";
import { validate } from "../../provider/schema/validate";
import { type NamedRecord, nonDefaultArgs, secretComment, sharedLists } from "./generated-program";
import { escapeInvisibleCharacters, fixedWidthEscape, hasInvisibleCharacters } from "./invisible-characters";
import type { DeclaredRecord } from "./script";
import { membersOf, parseMembers } from "./yaml-members";

/** Lets editors complete and check the file. */
const SCHEMA = "# yaml-language-server: $schema=node_modules/pulumi-tracking/dist/tracking.schema.json\n";

/** The records as a file for `tracking.declareFrom`, or as more of one that is there. */
export async function generateYaml(records: readonly NamedRecord[], before = ""): Promise<string> {
  const { isMap, parseDocument, visit } = await import("yaml");
  const isNew = before.trim() === "";
  const head = /^#\s*yaml-language-server:/m.test(before) ? "" : SCHEMA;
  const document = parseDocument(isNew ? "{}" : before);
  if (isMap(document.contents) && isNew) document.contents.flow = false;
  const lists = sharedLists(records, new Set(before.match(/\w+/g)));
  for (const [text, name] of lists) set(document, ["lists", name], JSON.parse(text));
  for (const each of records)
    set(document, [pluralName(each.resource), each.name], fields(each, lists), commentOn(each));
  visit(document, {
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === "string" && hasInvisibleCharacters(scalar.value))
        scalar.type = "QUOTE_DOUBLE";
    },
  });
  const text = document.toString({ lineWidth: 0, flowCollectionPadding: false });
  return head + escapeInvisibleCharacters(text, fixedWidthEscape);
}

/** What a file declares. */
export async function declaredInYaml(text: string): Promise<DeclaredRecord[]> {
  const file = await parseMembers(text);
  return catalogue.flatMap((resource) =>
    Object.entries(membersOf(file[pluralName(resource)])).flatMap(([name, args]) => {
      const key = membersOf(args)[resource.key];
      return typeof key === "string" ? { type: resource.type, name, key } : [];
    }),
  );
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

function fields(record: NamedRecord, lists: ReadonlyMap<string, string>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(nonDefaultArgs(record)).map(([name, value]) => {
      const shared = lists.get(JSON.stringify(value));
      return [name, shared === undefined ? value : [shared]];
    }),
  );
}

function commentOn(record: NamedRecord): string | undefined {
  const comment = secretComment(record);
  return comment && ` ${comment}`;
}

function set(
  document: yaml.Document,
  [section, name]: readonly [string, string],
  value: unknown,
  comment?: string,
): void {
  if (!document.has(section)) document.set(section, document.createNode({}));
  const node = document.createNode(value);
  const key = document.createNode(name);
  if (comment !== undefined) key.commentBefore = comment;
  const place = document.get(section) as yaml.YAMLMap;
  place.flow = false;
  place.add(document.createPair(key, node));
}
