import type { core } from "zod";
import { format } from "../../provider/schema/format";
import { pluralName, type Resource } from "../../provider/schema/resource";
import { type Validatable, type Violation, validate } from "../../provider/schema/validate";
import { zod } from "../../provider/schema/zod";
import { closest, suggest } from "../../provider/suggest";
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
const ENTRY = "an entry must be text; null and ~ are text in quotes alone";

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
      { each, own: argumentsOf(each), options: optionsOf(each, paths) },
    ]),
  );
  const sections = [LISTS, ...known.keys()];
  const lists = [...(file.members?.get(LISTS)?.node.members?.keys() ?? [])];
  const written = Object.entries(Object(file.value)).filter(([name]) => !EXTENSION_SECTION.test(name));
  const value = file.members === undefined ? file.value : Object.fromEntries(written);
  return fileSchema(catalogue, paths).safeParse(value).error?.issues.flatMap(explained) ?? [];

  function explained(issue: core.$ZodIssue): (Mistake | DeferredMistake)[] {
    const [section = "", key = "", argument, option] = issue.path.map(String);
    const holder = file.members?.get(section);
    const member = holder?.node.members?.get(key);
    if (holder === undefined) return inMapping(issue, file, "the file", "websites:", unknownSection);
    const indented = member && indentedSection(holder.node, member);
    if (indented !== undefined) return indented;
    if (section === LISTS) return inLists(issue, holder, key, member);
    const { own = {}, options = {}, each: resource } = known.get(section) ?? {};
    const example = `{ ${resource?.key}: … }`;
    if (member === undefined) return mistake(holder.node, `${section} ${MAPPING} shop: ${example}`);
    const { node } = member;
    const path = `${section}.${key}`;
    const names = [...Object.keys(own), "options"];
    if (names.includes(key) && node.members === undefined && node.value !== null)
      return mistake(member, `${key} is an argument: indent this line further than the name of its resource`);
    if (argument === "options") {
      const owner = `${path}: options`;
      const given = node.members?.get(argument) ?? member;
      if (option !== undefined) return inValue(owner, options, option, given, issue.path[4]);
      return inMapping(issue, given.node, owner, "{ protect: false }", (name) => {
        if (UNSUPPORTED_OPTIONS.has(name)) return `${owner}: ${name} ${UNSUPPORTED_OPTIONS.get(name)}`;
        const elsewhere = Object.hasOwn(own, name) && "; it is an argument, and stands beside options";
        return unknownName(owner, name, Object.keys(options), elsewhere);
      });
    }
    const beside = (name: string) => !node.members?.has(name) && holder.node.members?.has(name);
    if (argument !== undefined) {
      // An argument that stands beside its resource is not missing as well.
      if (beside(argument)) return [];
      const found = inValue(path, own, argument, member, issue.path[3]);
      const isText = typeof node.members?.get(argument)?.node.value === "string";
      const breaks = { path, argument, breaks: "argument" } as const;
      return found.map((each) => (own[argument]?.lenient && isText ? { ...each, ...breaks } : each));
    }
    if (node.value === null) {
      const missing = names.filter((each) => own[each]?.required && !beside(each));
      return missing.flatMap((each) => inValue(path, own, each, member));
    }
    const text = typeof node.value === "string" && withoutColon(node.value, names);
    if (text) return mistake(node, text);
    return inMapping(issue, node, path, example, (name) => {
      const isOption = Object.hasOwn(options, name) || UNSUPPORTED_OPTIONS.has(name);
      const elsewhere = isOption && '; it is a resource option, and stands under "options"';
      return withoutColon(name, names) ?? unknownName(path, name, names, elsewhere);
    });
  }

  function unknownSection(name: string): string {
    if ([...known.values()].some(({ own }) => Object.hasOwn(own, name)))
      return `${name} is an argument: it stands below its section and the name of its resource, indented by 4 spaces`;
    return `there is no ${JSON.stringify(name)}${suggest(name, sections) || `; a file has ${sections.join(", ")}`}`;
  }

  /** A section that is indented into another one; if its first line alone is, all that follows is its own. */
  function indentedSection({ members }: Node, member: Member): Mistake[] | undefined {
    for (const name of sections) {
      const inner = members?.get(name);
      const values = [...(inner?.node.members?.values() ?? [])];
      const isNested = values.length > 0 && values.every(({ node }) => node.members ?? node.entries);
      if (inner && (inner.node.value === null ? inner.at <= member.at : isNested && inner === member))
        return mistake(inner, `${name} is a section of its own: begin this line without spaces`);
    }
    return undefined;
  }

  function inLists(issue: core.$ZodIssue, { node }: Member, name: string, list?: Member): Mistake[] {
    if (list === undefined) return mistake(node, `${LISTS} ${MAPPING} office: [192.0.2.0/24]`);
    if (issue.code === "invalid_key") return mistake(list, `lists.${name}: ${LIST_NAME_RULE}`);
    const { value, entries = [] } = list.node;
    const entry = entries[Number(issue.path[2])];
    if (entry !== undefined) return mistake(entry, `lists.${name}: ${ENTRY}`);
    const words = typeof value === "string" ? entriesIn(value) : [];
    const hint = words.length > 0 ? `: write [${words.join(", ")}]` : ", such as [192.0.2.7]";
    return mistake(list.node, `lists.${name} must be a list${hint}`);
  }

  /** What is wrong with one value, or with one entry of it. */
  function inValue(
    owner: string,
    fields: FileFields,
    name: string,
    holder: Member,
    index?: PropertyKey,
  ): Mistake[] {
    const field = fields[name];
    const node = holder.node.members?.get(name)?.node;
    if (field === undefined) return [];
    if (node === undefined) {
      // A mistyped name is not missing as well.
      const isMistyped = [...(holder.node.members?.keys() ?? [])].some(
        (each) => meant(each, fields) === name,
      );
      return isMistyped ? [] : mistake(holder, `${owner}: ${name} is missing: it must be ${field.expected}`);
    }
    if (field.secret) return inSecret(owner, name, node);
    const entry = typeof index === "number" ? node.entries?.[index] : undefined;
    if (entry !== undefined && typeof entry.value !== "string")
      return mistake(entry, `${owner}: ${name}: ${ENTRY}`);
    const { value, quoted } = entry ?? node;
    const whose = entry?.list === undefined ? owner : `lists.${entry.list}`;
    const says = (text: string) => mistake(entry ?? node, `${whose}: ${name} ${text}`);
    if (value === null) return says(`has no value: it must be ${field.expected}; or take the line out`);
    if (typeof value === "object")
      return says(`must be ${field.expected}, not ${node.members ? "names with values" : "a list"}`);
    const isList = namesOf("array", { field }).size > 0;
    const hint = isList
      ? entryHint(field, String(value), entry !== undefined)
      : suggestCorrection(field, String(value), quoted);
    return says(`must be ${field.expected}, not ${format(field, value)}${hint}`);
  }

  /** What to write instead of an entry, or of a list that is one text. */
  function entryHint(field: FileField, text: string, isEntry: boolean): string {
    const entries = entriesIn(text);
    const values = entries.filter((each) => !lists.includes(each));
    const isFine = entries.length > (isEntry ? 1 : 0) && takes(field, values);
    if (!isEntry && /(^|\s)-\S/.test(text)) return "; write a space after each dash";
    if (isFine) return isEntry ? "; write a comma between them" : `; write [${entries.join(", ")}]`;
    const unknown = lists.length > 0 && LIST_NAME.test(text) ? "; nor is there a list of that name" : "";
    return suggest(text, field.names ?? []) || suggest(text, lists, "the list ") || unknown;
  }
}

function mistake({ at }: Pick<Mistake, "at">, text: string): Mistake[] {
  return [{ at, text }];
}

/** A value that should have members: what is wrong with their names, or that it has none. */
function inMapping(
  issue: core.$ZodIssue,
  node: Node,
  owner: string,
  example: string,
  unknown: (name: string) => string,
): Mistake[] {
  if (issue.code !== "unrecognized_keys") return mistake(node, `${owner} ${MAPPING} ${example}`);
  return issue.keys.flatMap((name) => mistake(node.members?.get(name) ?? node, unknown(name)));
}

/** What stands in the place of a secret is never shown. */
function inSecret(owner: string, name: string, node: Node): Mistake[] {
  const key = exampleKey(owner, name);
  const write = `"${name}: { config: ${key} }"`;
  for (const [each, member] of node.members ?? []) {
    const text = withoutColon(each, ["config"]);
    if (text !== undefined) return mistake(member, text);
  }
  const advice = `must be the name of a secret in the stack's config: ${write}`;
  const inClear = `is a secret, and never stands in a file: write ${write}, and run "pulumi config set --secret ${key}"`;
  return mistake(node, `${owner}: ${name} ${typeof node.value === "object" ? advice : inClear}`);
}

/** `domain:shop.example.com`, `domain shop.example.com`: a name that YAML takes for a part of a text. */
function withoutColon(text: string, names: readonly string[]): string | undefined {
  const [, name = "", colon] = /^([\w-]+)(:|\s*=|\s)\s*\S/.exec(text) ?? [];
  if (!names.includes(name)) return undefined;
  return `write ${colon === ":" ? "a space after the colon of" : "a colon and a space after"} ${name}`;
}

/** The one of these names that stands for another one in a file. */
function meant(text: string, fields: FileFields): string | undefined {
  if (Object.hasOwn(fields, text)) return undefined;
  const [name = ""] = /^[\w-]+/.exec(text) ?? [];
  return Object.hasOwn(fields, name) ? name : closest(text, Object.keys(fields));
}

function unknownName(owner: string, name: string, names: string[], elsewhere: string | false): string {
  const hint = elsewhere || suggest(name, names) || `; it has ${names.join(", ")}`;
  return `${owner}: there is no ${JSON.stringify(name)}${hint}`;
}

/** Whether a field takes a value. */
function takes(field: Validatable, value: unknown): boolean {
  return validate("", { it: field }, { it: value }).failures.length === 0;
}

/** What to write instead of a text that a field does not take, if that can be guessed. */
function suggestCorrection(field: FileField, text: string, quoted = false): string {
  const truth = booleanIn(text);
  if (truth !== undefined && takes(field, truth))
    return quoted
      ? `; write ${truth} without quotes`
      : `; ${/^\d$/.test(text) ? "" : "in YAML 1.2 that is text: "}write ${truth}`;
  const options: unknown = Reflect.get(field.validator(zod()), "options");
  const words = Array.isArray(options) ? options.filter((each) => typeof each === "string") : [];
  const kebab = text
    .trim()
    .toLowerCase()
    .replaceAll(/[_\s]+/g, "-");
  const word = words.find((each) => each === kebab || field.encode?.(each) === text);
  if (word !== undefined) return `; write ${word}`;
  if (words.length > 0) return suggest(text, words);
  const unquoted = text.replace(/^["']|["']$/g, "");
  const host = text.replace(/^\w*:?\/\//, "").replace(/[/:?#].*$/s, "");
  const fromFirstLetter = text.replace(/^[^\p{L}\p{N}]+/u, "");
  const other = [unquoted, host, fromFirstLetter].find((each) => takes(field, each));
  return other === undefined || other === text ? "" : `; write ${other}`;
}

/** What YAML 1.1, and people, take for true and false. */
function booleanIn(text: string): boolean | undefined {
  if (/^(y|yes|on|true|1)$/i.test(text)) return true;
  return /^(n|no|off|false|0)$/i.test(text) ? false : undefined;
}

/** The entries that somebody meant who wrote a list as one text. */
function entriesIn(text: string): string[] {
  return text
    .replace(/^[[\s]+|[\]\s]+$/g, "")
    .split(/[\s,;]+/)
    .filter((each) => each !== "");
}
