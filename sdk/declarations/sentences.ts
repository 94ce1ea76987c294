import type * as zod from "zod";
import { format } from "../../provider/schema/format";
import { pluralName, type Resource } from "../../provider/schema/resource";
import type { Violation } from "../../provider/schema/validate";
import { closest, suggest } from "../../provider/suggest";
import { entriesIn, suggestCorrection, takes } from "./correction";
import type { Member, Node } from "./document";
import {
  argumentsOf,
  exampleKey,
  type FileField,
  type FileFields,
  namesOf,
  optionsOf,
  UNSUPPORTED_OPTIONS,
} from "./fields";
import { LIST_NAME, LISTS } from "./lists";
import { EXTENSION_SECTION, fileSchema, LIST_NAME_RULE } from "./schema";
import type { Mistake } from "./syntax";

/** A mistake in a value, unless its record has that value already: the provider's `check` knows. */
export interface DeferredMistake extends Mistake, Omit<Violation, "text"> {
  /** How the file names the resource. */
  readonly path: string;
}

const MAPPING = "must be a mapping: names, each with a value, such as";

/**
 * What the schema found in a file, in sentences, each with its place.
 *
 * @param paths of all resources in the file
 */
export function contentMistakes(
  file: Node,
  catalogue: readonly Resource[],
  paths: readonly string[],
): (Mistake | DeferredMistake)[] {
  const known = new Map(
    catalogue.map((each) => [
      pluralName(each),
      { own: argumentsOf(each), options: optionsOf(each, paths), example: `{ ${each.key}: … }` },
    ]),
  );
  const sections = [LISTS, ...known.keys()];
  const lists = [...(file.members?.get(LISTS)?.node.members?.keys() ?? [])];
  const written = Object.entries(Object(file.value)).filter(([name]) => !EXTENSION_SECTION.test(name));
  const value = file.members === undefined ? file.value : Object.fromEntries(written);
  return fileSchema(catalogue, paths).safeParse(value).error?.issues.flatMap(explained) ?? [];

  function explained(issue: zod.core.$ZodIssue): (Mistake | DeferredMistake)[] {
    const [section = "", key = "", argument, option] = issue.path.map(String);
    const holder = file.members?.get(section);
    const member = holder?.node.members?.get(key);
    if (holder === undefined) return inMapping(issue, file, "the file", "websites:", unknownSection);
    const indented = indentedSection(holder, key);
    if (indented !== undefined) return indented;
    if (section === LISTS) return inLists(issue, holder, key, member);
    const { own = {}, options = {}, example = "" } = known.get(section) ?? {};
    if (member === undefined) return [{ at: holder.node.at, text: `${section} ${MAPPING} shop: ${example}` }];
    const path = `${section}.${key}`;
    const names = [...Object.keys(own), "options"];
    if (names.includes(key) && member.node.members === undefined && member.node.value !== null)
      return [
        {
          at: member.at,
          text: `${key} is an argument: indent this line further than the name of its resource`,
        },
      ];
    if (argument === "options") {
      const owner = `${path}: options`;
      const given = member.node.members?.get(argument) ?? member;
      if (option !== undefined) return inValue(owner, options, option, given, issue.path[4]);
      return inMapping(issue, given.node, owner, "{ protect: false }", (name) => {
        if (UNSUPPORTED_OPTIONS.has(name)) return `${owner}: ${name} ${UNSUPPORTED_OPTIONS.get(name)}`;
        return unknownName(
          owner,
          name,
          Object.keys(options),
          own,
          "; it is an argument, and stands beside options",
        );
      });
    }
    if (argument !== undefined) {
      // An argument that stands beside its resource is not missing as well.
      if (!member.node.members?.has(argument) && holder.node.members?.has(argument)) return [];
      const found = inValue(path, own, argument, member, issue.path[3]);
      const { value } = member.node.members?.get(argument)?.node ?? {};
      const isDoubtful = own[argument]?.lenient && typeof value === "string";
      return isDoubtful ? found.map((each) => ({ ...each, path, argument, breaks: "argument" })) : found;
    }
    const { value } = member.node;
    if (value === null)
      return names.flatMap((each) =>
        own[each]?.required ? explained({ ...issue, path: [section, key, each] }) : [],
      );
    const text = typeof value === "string" ? withoutColon(value, names) : undefined;
    if (text !== undefined) return [{ at: member.node.at, text }];
    const others = Object.fromEntries(
      [...Object.keys(options), ...UNSUPPORTED_OPTIONS.keys()].map((each) => [each, 0]),
    );
    return inMapping(issue, member.node, path, example, (name) => {
      const hint = '; it is a resource option, and stands under "options"';
      return withoutColon(name, names) ?? unknownName(path, name, names, others, hint);
    });
  }

  function unknownSection(name: string): string {
    const isArgument = [...known.values()].some(({ own }) => Object.hasOwn(own, name));
    if (isArgument)
      return `${name} is an argument: it stands below its section and the name of its resource, indented by 4 spaces`;
    return `there is no ${JSON.stringify(name)}${suggest(name, sections) || `; a file has ${sections.join(", ")}`}`;
  }

  /** A section that is indented into another one; if its first line alone is, all that follows is its own. */
  function indentedSection({ node }: Member, key: string): Mistake[] | undefined {
    for (const [name, { at, node: inner }] of node.members ?? []) {
      const values = [...(inner.members?.values() ?? [])];
      const isNested = values.length > 0 && values.every((each) => each.node.members ?? each.node.entries);
      const follows = inner.value === null;
      if (sections.includes(name) && (follows || (isNested && name === key)))
        return [{ at, text: `${name} is a section of its own: begin this line without spaces` }];
      if (name === key) return undefined;
    }
    return undefined;
  }

  function inLists(issue: zod.core.$ZodIssue, { node }: Member, name: string, list?: Member): Mistake[] {
    if (list === undefined) return [{ at: node.at, text: `${LISTS} ${MAPPING} office: [192.0.2.0/24]` }];
    if (issue.code === "invalid_key") return [{ at: list.at, text: `lists.${name}: ${LIST_NAME_RULE}` }];
    const { at, value, entries = [] } = list.node;
    const entry = entries[Number(issue.path[2])];
    if (entry !== undefined) return [notText(`lists.${name}`, entry)];
    const words = typeof value === "string" ? entriesIn(value) : [];
    const hint = words.length > 0 ? `: write [${words.join(", ")}]` : ", such as [192.0.2.7]";
    return [{ at, text: `lists.${name} must be a list${hint}` }];
  }

  /** What is wrong with one value, or with one entry of it. */
  function inValue(
    owner: string,
    fields: FileFields,
    name: string,
    { at, node: resource }: Member,
    index?: PropertyKey,
  ): Mistake[] {
    const field = fields[name];
    const node = resource.members?.get(name)?.node;
    if (field === undefined) return [];
    if (node === undefined) {
      // A mistyped name is not missing as well.
      const isMistyped = [...(resource.members?.keys() ?? [])].some((each) => meant(each, fields) === name);
      return isMistyped ? [] : [{ at, text: `${owner}: ${name} is missing: it must be ${field.expected}` }];
    }
    if (field.secret) return [inSecret(owner, name, node)];
    const entry = typeof index === "number" ? node.entries?.[index] : undefined;
    if (entry !== undefined && typeof entry.value !== "string") return [notText(`${owner}: ${name}`, entry)];
    const must = `${name} must be ${field.expected}`;
    const whose = entry?.list === undefined ? owner : `lists.${entry.list}`;
    const { at: place, value, quoted } = entry ?? node;
    const says = (text: string) => [{ at: place, text: `${whose}: ${text}` }];
    if (entry === undefined && node.members !== undefined) return says(`${must}, not names with values`);
    if (entry === undefined && node.entries !== undefined) return says(`${must}, not a list`);
    if (value === null)
      return says(`${name} has no value: it must be ${field.expected}; or take the line out`);
    const text = String(value);
    const isList = namesOf("array", { field }).size > 0;
    const hint = isList
      ? entryHint(field, text, entry !== undefined)
      : suggestCorrection(field, text, quoted);
    return says(`${must}, not ${format(field, value)}${hint}`);
  }

  /** What to write instead of an entry, or of a list that is one text. */
  function entryHint(field: FileField, text: string, isEntry: boolean): string {
    const entries = entriesIn(text);
    const isFine = takes(
      field,
      entries.filter((each) => !lists.includes(each)),
    );
    if (!isEntry && /(^|\s)-\S/.test(text)) return "; write a space after each dash";
    if (!isEntry && isFine && entries.length > 0) return `; write [${entries.join(", ")}]`;
    if (isFine && entries.length > 1) return "; write a comma between them";
    const unknown = lists.length > 0 && LIST_NAME.test(text) ? "; nor is there a list of that name" : "";
    return suggest(text, field.names ?? []) || suggest(text, lists, "the list ") || unknown;
  }
}

/** A value that should have members: what is wrong with their names, or that it has none. */
function inMapping(
  issue: zod.core.$ZodIssue,
  { at, members }: Node,
  owner: string,
  example: string,
  unknown: (name: string) => string,
): Mistake[] {
  if (issue.code !== "unrecognized_keys") return [{ at, text: `${owner} ${MAPPING} ${example}` }];
  return issue.keys.map((name) => ({ at: members?.get(name)?.at ?? at, text: unknown(name) }));
}

/** What stands in the place of a secret is never shown. */
function inSecret(owner: string, name: string, { at, value, members }: Node): Mistake {
  const key = exampleKey(owner, name);
  const write = `"${name}: { config: ${key} }"`;
  for (const [each, member] of members ?? []) {
    const text = withoutColon(each, ["config"]);
    if (text !== undefined) return { at: member.at, text };
  }
  return value === null || typeof value === "object"
    ? { at, text: `${owner}: ${name} must be the name of a secret in the stack's config: ${write}` }
    : {
        at,
        text: `${owner}: ${name} is a secret, and never stands in a file: write ${write}, and run "pulumi config set --secret ${key}"`,
      };
}

function notText(owner: string, { at }: Node): Mistake {
  return { at, text: `${owner}: an entry must be text; null and ~ are text in quotes alone` };
}

/** `domain:shop.example.com`, `domain shop.example.com`: a name that YAML takes for a part of a text. */
function withoutColon(text: string, names: readonly string[]): string | undefined {
  const [, name = "", colon] = /^([\w-]+)(:|\s*=|\s)\s*\S/.exec(text) ?? [];
  if (!names.includes(name)) return undefined;
  return colon === ":"
    ? `write a space after the colon of ${name}`
    : `write a colon and a space after ${name}`;
}

/** The one of these names that stands for another one in a file. */
function meant(text: string, fields: FileFields): string | undefined {
  if (Object.hasOwn(fields, text)) return undefined;
  const [name = ""] = /^[\w-]+/.exec(text) ?? [];
  return Object.hasOwn(fields, name) ? name : closest(text, Object.keys(fields));
}

/** @param others names that stand elsewhere, as `elsewhere` says */
function unknownName(
  owner: string,
  name: string,
  names: string[],
  others: object,
  elsewhere: string,
): string {
  const hint = suggest(name, names) || `; it has ${names.join(", ")}`;
  return `${owner}: there is no ${JSON.stringify(name)}${Object.hasOwn(others, name) ? elsewhere : hint}`;
}
