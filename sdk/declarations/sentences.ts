import type { core } from "zod";
import { format } from "../../provider/schema/format";
import { pluralName, type Resource } from "../../provider/schema/resource";
import { correction, takes, type Violation } from "../../provider/schema/validate";
import { zod } from "../../provider/schema/zod";
import { suggest } from "../../provider/suggest";
import type { Member, Node } from "./document";
import {
  argumentsOf,
  EXTENSION_SECTION,
  type FileField,
  type FileFields,
  fileSchema,
  LIST_NAME,
  LIST_NAME_RULE,
  LISTS,
  optionsOf,
  secretAdvice,
  sectionsOf,
  sharedList,
} from "./schema";
import type { Mistake } from "./syntax";

/** A mistake in a value, unless its record has that value already, which only the provider's `check` knows. */
export interface DeferredMistake extends Mistake, Omit<Violation, "text"> {
  /** The resource's path in the file. */
  readonly path: string;
}

/** A mapping in a file, and what it may contain. */
interface Level extends Member {
  /** Its name in messages. */
  readonly owner: string;
  readonly fields: FileFields;
  readonly example: string;
}

/**
 * The schema's findings in a file, as sentences with their places.
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
      { key: each.key, own: argumentsOf(each, paths), options: optionsOf(each, paths) },
    ]),
  );
  const sections = sectionsOf(catalogue, paths);
  const lists = [...(file.members?.get(LISTS)?.node.members?.keys() ?? [])];
  const sharedLists = Object.fromEntries(lists.map((name) => [name, sharedList]));
  const written = Object.entries(Object(file.value)).filter(([name]) => !EXTENSION_SECTION.test(name));
  const value = file.members === undefined ? file.value : Object.fromEntries(written);
  return fileSchema(sections).safeParse(value).error?.issues.flatMap(sentenceOf) ?? [];

  function sentenceOf(issue: core.$ZodIssue): (Mistake | DeferredMistake)[] {
    const path = issue.path.map(String);
    const [section = "", key = ""] = path;
    const siblings = file.members?.get(section)?.node.members;
    const member = siblings?.get(key);
    if (member !== undefined && issue.code === "invalid_key")
      return [{ at: member.at, text: `${section}.${key}: ${LIST_NAME_RULE}` }];
    const depth = section === LISTS ? 1 : path[2] === "options" ? 3 : 2;
    const level = levelOf(path.slice(0, depth));
    const [name, index] = path.slice(depth);
    if (name === undefined) return inMapping(issue, level, key);
    const { owner, node, fields } = level;
    // A missing argument may be beside its resource, or have a mistyped name.
    const given = [...(node.members?.keys() ?? [])];
    const isElsewhere = siblings?.has(name) || given.some((each) => !Object.hasOwn(fields, each));
    if (!given.includes(name) && isElsewhere) return [];
    const found = inValue(level, name, index);
    const isText = typeof node.members?.get(name)?.node.value === "string";
    if (!isText || !fields[name]?.lenient) return [found];
    return [{ ...found, path: owner, argument: name, breaks: "argument" }];
  }

  /** The mapping that a path leads to: the file, a section, a resource, or its options. */
  function levelOf(path: readonly string[]): Level {
    const [section = "", key] = path;
    const { key: first, own = {}, options = {} } = known.get(section) ?? {};
    const example = `{ ${first}: … }`;
    const levels = [
      section === LISTS
        ? { owner: section, fields: sharedLists, example: "office: [192.0.2.0/24]" }
        : { owner: section, fields: {}, example: `shop: ${example}` },
      { owner: `${section}.${key}`, fields: own, example },
      { owner: `${section}.${key}: options`, fields: options, example: "{ protect: false }" },
    ];
    const top = { owner: "the file", fields: sections, example: "websites:" };
    const place = path.reduce<Member>((above, name) => above.node.members?.get(name) ?? above, {
      at: 0,
      node: file,
    });
    return { ...(levels[path.length - 1] ?? top), ...place };
  }

  /** What is wrong with one value, or with one entry of it. */
  function inValue({ owner, at, node, fields }: Level, name: string, index?: string): Mistake {
    const { expected = "", secret } = fields[name] ?? {};
    const inClear = `is a secret and must not be in the file: ${secretAdvice(owner, name)}`;
    const whole = node.members?.get(name)?.node;
    if (whole === undefined) return { at, text: `${owner}: ${name} is missing: it must be ${expected}` };
    // The value of a secret argument is never shown, whatever it is.
    if (secret) return { at: whole.at, text: `${owner}: ${name} ${inClear}` };
    const part = whole.entries?.[Number(index)] ?? whole;
    const { value, members, list } = part;
    const whose = list === undefined ? owner : `${LISTS}.${list}`;
    const says = (text: string) => ({ at: part.at, text: `${whose}: ${name} ${text}` });
    if (whole.value === null) return says(`has no value: it must be ${expected}`);
    const isEntry = part !== whole;
    if (typeof value !== "object")
      return says(
        `must be ${expected}, not ${format(undefined, value)}${advice(fields[name], String(value), isEntry)}`,
      );
    const shown = value === null ? "null" : members ? "names with values" : "a list";
    return says(`must be ${expected}, not ${isEntry ? "one that contains " : ""}${shown}`);
  }

  /** What to write instead of a value, if that can be guessed. */
  function advice(field: FileField | undefined, text: string, isEntry: boolean): string {
    if (field?.validator(zod()).type !== "array") return field ? correction(field, text, suggest) : "";
    const entries = text.split(/[\s,;[\]]+-?/).filter((each) => each !== "");
    const values = entries.filter((each) => !lists.includes(each));
    const written = entries.join(", ");
    if (entries.length > (isEntry ? 1 : 0) && takes(field, values))
      return `; write ${isEntry ? written : `[${written}]`}`;
    const unknown = lists.length > 0 && LIST_NAME.test(text) ? "; no list has that name" : "";
    return correction(field, text, suggest) || suggest(text, lists, "the list ") || unknown;
  }

  /** The mistakes in a mapping's names, or in a value that should be a mapping. */
  function inMapping(issue: core.$ZodIssue, level: Level, key: string): Mistake[] {
    const { owner, at, node, fields, example } = level;
    const names = Object.keys(fields);
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((name) => {
        // What follows may be a secret.
        const [word = ""] = /^[^\s:=]*/.exec(name) ?? [];
        const hint = placeOf(word, level) || suggest(word, names) || `; allowed: ${names.join(", ")}`;
        const unknown = `${node === file ? "" : `${owner}: `}${JSON.stringify(word)} is not allowed here${hint}`;
        return { at: node.members?.get(name)?.at ?? at, text: runTogether(name, names) ?? unknown };
      });
    if (names.includes(key))
      return [{ at, text: `${key} is an argument: indent this line further than the name of its resource` }];
    const together = typeof node.value === "string" ? runTogether(node.value, names) : undefined;
    const mapping = `${owner} must be a mapping of names to values, such as ${example}`;
    return [{ at: node.at, text: together ?? mapping }];
  }

  /** Where a misplaced name belongs. */
  function placeOf(name: string, { fields }: Level): string | undefined {
    for (const { own, options } of known.values()) {
      const isHere = [sections, own, options].includes(fields);
      if (isHere && fields !== own && Object.hasOwn(own, name))
        return "; it is an argument: write it directly below the name of its resource";
      if (isHere && fields !== options && Object.hasOwn(options, name))
        return '; it is a resource option: write it under "options"';
    }
    return name === "import" ? '; run "npx pulumi-tracking import --declared --apply" instead' : undefined;
  }
}

/** `domain:shop.example.com`, `domain shop.example.com`: a name that YAML reads as part of a text. */
function runTogether(text: string, names: readonly string[]): string | undefined {
  const [, name = ""] = /^([\w-]+)[\s:=]/.exec(text) ?? [];
  return names.includes(name) ? `write one colon and a space after ${name}` : undefined;
}
