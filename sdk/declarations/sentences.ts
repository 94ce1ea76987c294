import type { core } from "zod";
import { format } from "../../provider/schema/format";
import { pluralName, type Resource } from "../../provider/schema/resource";
import { correction, takes, type Violation } from "../../provider/schema/validate";
import { zod } from "../../provider/schema/zod";
import { closest, suggest } from "../../provider/suggest";
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
  sharedList,
} from "./schema";
import type { Mistake } from "./syntax";

/** A mistake in a value, unless its record has that value already: the provider's `check` knows. */
export interface DeferredMistake extends Mistake, Omit<Violation, "text"> {
  /** How the file names the resource. */
  readonly path: string;
}

/** A mapping in a file, and what may stand in it. */
interface Level extends Member {
  /** How sentences name it. */
  readonly owner: string;
  readonly names: readonly string[];
  readonly fields: FileFields;
  readonly example: string;
  /** What to do about a name that can't stand here, if that is known. */
  elsewhere?(name: string): string | false | undefined;
}

const BY_PROGRAM = "; the program gives it, for the whole file: declareFrom(path, { … })";
const NO_EFFECT = "; it has no effect: the engine does not pass it to dynamic providers";
/** Resource options that a file can't set, and what to do instead. */
const OTHER_OPTIONS: ReadonlyMap<string, string> = new Map([
  ["import", '; run "npx pulumi-tracking import --declared --apply" instead'],
  ...["parent", "provider", "transforms", "transformations"].map((name) => [name, BY_PROGRAM] as const),
  ...["replaceOnChanges", "customTimeouts"].map((name) => [name, NO_EFFECT] as const),
]);

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
      { key: each.key, own: argumentsOf(each), options: optionsOf(each, paths) },
    ]),
  );
  const sections = [LISTS, ...known.keys()];
  const lists = [...(file.members?.get(LISTS)?.node.members?.keys() ?? [])];
  const sharedLists = Object.fromEntries(lists.map((name) => [name, sharedList]));
  const written = Object.entries(Object(file.value)).filter(([name]) => !EXTENSION_SECTION.test(name));
  const value = file.members === undefined ? file.value : Object.fromEntries(written);
  return fileSchema(catalogue, paths).safeParse(value).error?.issues.flatMap(sentenceOf) ?? [];

  function sentenceOf(issue: core.$ZodIssue): (Mistake | DeferredMistake)[] {
    const path = issue.path.map(String);
    const [section = "", key = ""] = path;
    const siblings = file.members?.get(section)?.node.members;
    const member = siblings?.get(key);
    const inner = member && indentedSection(siblings, member);
    if (inner !== undefined) return [inner];
    if (member !== undefined && issue.code === "invalid_key")
      return [{ at: member.at, text: `${section}.${key}: ${LIST_NAME_RULE}` }];
    const depth = section === LISTS ? 1 : path[2] === "options" ? 3 : 2;
    const level = levelOf(path.slice(0, depth));
    const [name, index] = path.slice(depth);
    if (name === undefined) return inMapping(issue, level, key);
    const { owner, node, names, fields } = level;
    // An argument that stands beside its resource, or under a mistyped name, is not missing as well.
    const given = [...(node.members?.keys() ?? [])];
    const isElsewhere = siblings?.has(name) || given.some((each) => isMeant(each, name, names));
    if (!given.includes(name) && isElsewhere) return [];
    const found = inValue(level, name, index);
    const isText = typeof node.members?.get(name)?.node.value === "string";
    if (!isText || !fields[name]?.lenient) return [found];
    return [{ ...found, path: owner, argument: name, breaks: "argument" }];
  }

  /** The mapping that a path leads to: of the file, a section, a resource, or its options. */
  function levelOf(path: readonly string[]): Level {
    const [section = "", key] = path;
    const { key: first, own = {}, options = {} } = known.get(section) ?? {};
    const isArgument = (name: string) => [...known.values()].some((each) => Object.hasOwn(each.own, name));
    const entry = { owner: `${section}.${key}`, example: `{ ${first}: … }` };
    const levels: Omit<Level, keyof Member>[] = [
      {
        ...{ owner: "the file", names: sections, fields: {}, example: "websites:" },
        elsewhere: (name) =>
          isArgument(name) &&
          "; it is an argument: it stands below its section and the name of its resource, indented by 4 spaces",
      },
      section === LISTS
        ? { owner: section, names: [], fields: sharedLists, example: "office: [192.0.2.0/24]" }
        : { owner: section, names: [], fields: {}, example: `shop: ${entry.example}` },
      {
        ...{ ...entry, names: [...Object.keys(own), "options"], fields: own },
        elsewhere: (name) =>
          Object.hasOwn(options, name) && '; it is a resource option, and stands under "options"',
      },
      {
        ...{ owner: `${entry.owner}: options`, names: Object.keys(options), fields: options },
        example: "{ protect: false }",
        elsewhere: (name) =>
          Object.hasOwn(own, name)
            ? "; it is an argument, and stands beside options"
            : OTHER_OPTIONS.get(name),
      },
    ];
    const place = path.reduce<Member>((above, name) => above.node.members?.get(name) ?? above, {
      at: 0,
      node: file,
    });
    return { ...(levels[path.length] as (typeof levels)[0]), ...place };
  }

  /** A section that is indented into another one; if its first line alone is, all that follows is its own. */
  function indentedSection(siblings: Node["members"], { at }: Member): Mistake | undefined {
    for (const name of sections) {
      const inner = siblings?.get(name);
      const values = [...(inner?.node.members?.values() ?? [])];
      if (inner && inner.at <= at && values.every(({ node }) => node.members ?? node.entries))
        return { at: inner.at, text: `${name} is a section of its own: begin this line without spaces` };
    }
    return undefined;
  }

  /** What is wrong with one value, or with one entry of it. */
  function inValue({ owner, at, node, fields }: Level, name: string, index?: string): Mistake {
    const { expected = "", secret } = fields[name] ?? {};
    const whole = node.members?.get(name)?.node;
    if (whole === undefined) return { at, text: `${owner}: ${name} is missing: it must be ${expected}` };
    if (secret) return inSecret(owner, name, whole);
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
    return says(`must be ${expected}, not ${isEntry ? "one with " : ""}${shown}`);
  }

  /** What to write instead of a value, if that can be guessed. */
  function advice(field: FileField | undefined, text: string, isEntry: boolean): string {
    if (field?.validator(zod()).type !== "array") return field ? correction(field, text, suggest) : "";
    const entries = text.split(/[\s,;[\]]+-?/).filter((each) => each !== "");
    const values = entries.filter((each) => !lists.includes(each));
    const written = entries.join(", ");
    if (entries.length > (isEntry ? 1 : 0) && takes(field, values))
      return `; write ${isEntry ? written : `[${written}]`}`;
    const unknown = lists.length > 0 && LIST_NAME.test(text) ? "; nor is there a list of that name" : "";
    return correction(field, text, suggest) || suggest(text, lists, "the list ") || unknown;
  }

  /** A value that should have members: what is wrong with their names, or that it has none. */
  function inMapping(issue: core.$ZodIssue, level: Level, key: string): Mistake[] {
    const { owner, at, node, names, example, elsewhere } = level;
    const place = node === file ? { owner: "", it: "a file" } : { owner: `${owner}: `, it: "it" };
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((name) => {
        // What follows may be a secret.
        const [word = ""] = /^[^\s:=]*/.exec(name) ?? [];
        const hint = elsewhere?.(name) || suggest(word, names) || `; ${place.it} has ${names.join(", ")}`;
        const unknown = `${place.owner}there is no ${JSON.stringify(word)}${hint}`;
        return { at: node.members?.get(name)?.at ?? at, text: runTogether(name, names) ?? unknown };
      });
    if (names.includes(key))
      return [{ at, text: `${key} is an argument: indent this line further than the name of its resource` }];
    const together = typeof node.value === "string" ? runTogether(node.value, names) : undefined;
    const mapping = `${owner} must be a mapping: names, each with a value, such as ${example}`;
    return [{ at: node.at, text: together ?? mapping }];
  }
}

/** What stands in the place of a secret is never shown. */
function inSecret(owner: string, name: string, { at, members }: Node): Mistake {
  for (const [key, member] of members ?? []) {
    const text = runTogether(key, ["config"]);
    if (text !== undefined) return { at: member.at, text };
  }
  return {
    at,
    text: `${owner}: ${name} is a secret, and never stands in a file: ${secretAdvice(owner, name)}`,
  };
}

/** `domain:shop.example.com`, `domain shop.example.com`: a name that YAML takes for a part of a text. */
function runTogether(text: string, names: readonly string[]): string | undefined {
  const [, name = ""] = /^([\w-]+)[\s:=]/.exec(text) ?? [];
  return names.includes(name) ? `write one colon and a space after ${name}` : undefined;
}

/** Whether a text that is no name stands for this one. */
function isMeant(text: string, name: string, names: readonly string[]): boolean {
  if (names.includes(text)) return false;
  return runTogether(text, [name]) !== undefined || closest(text, names) === name;
}
