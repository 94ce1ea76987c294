import type * as yaml from "yaml";
import { firstFault } from "./syntax";

const ALIAS =
  'anchors and aliases are not supported here: put what several share into "lists" or "defaults", and text that begins with * into quotes';

/** A file's name, for messages, and its text. */
export interface TextFile {
  readonly file: string;
  readonly text: string;
}

/** A place in one of several files: the file's number among them, and line and column from 1. */
export interface Place {
  readonly file: string;
  readonly index: number;
  readonly offset: number;
  readonly line: number;
  readonly col: number;
}

/** A place for messages. */
export function nameOf({ file, line, col }: Place): string {
  return `${file}:${line}:${col}`;
}

/** What is wrong at a place. */
export interface FileMistake {
  readonly at: Place;
  readonly text: string;
}

/** Reports a mistake. */
export type Report = (at: Place, text: string) => void;

/** A value of a file, and its place. */
export interface Node {
  readonly at: Place;
  /** Its text, `null` if it has none, or `undefined` for a list or mapping. */
  readonly text?: string | null;
  /** Whether it has no quotes, so that `true` may be a truth value. */
  readonly isPlain?: boolean;
  readonly entries?: readonly Node[];
  readonly members?: Members;
  /** The shared list that contains it, if it comes from a list's name. */
  readonly list?: string;
}

/** A named value; `at` is the place of the name. */
export interface Member {
  readonly at: Place;
  readonly node: Node;
  /** The path of the defaults that contain it, if it comes from there. */
  readonly from?: string;
}

/** Values by their names. */
export type Members = ReadonlyMap<string, Member>;

/** Parses YAML 1.2 as it is read here: text stays text, such as `0123`. */
export function parseText(text: string) {
  // Loaded here, so that a program without such a file never loads it.
  const library: typeof yaml = require("yaml");
  const lineCounter = new library.LineCounter();
  const document = library.parseDocument(text, {
    schema: "failsafe",
    resolveKnownTags: false,
    stringKeys: true,
    // It would compare each name with all before it.
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter,
  });
  return { library, lineCounter, document };
}

/**
 * Reads YAML 1.2. Returns undefined if it can't be read, and reports why.
 *
 * @param index the file's number among all
 */
export function readDocument({ file, text }: TextFile, index: number, report: Report): Node | undefined {
  const { library, lineCounter, document } = parseText(text);

  function placeAt(offset: number): Place {
    return { file, index, offset, ...lineCounter.linePos(offset) };
  }

  function placeOf(node: yaml.Node | null, holder: Place): Place {
    return node?.range ? placeAt(node.range[0]) : holder;
  }

  function read(node: yaml.Node | null, holder: Place): Node {
    const at = placeOf(node, holder);
    if (library.isMap<yaml.Node, yaml.Node | null>(node)) return { at, members: mapping(node, at) };
    if (library.isSeq<yaml.Node>(node)) return { at, entries: node.items.map((item) => read(item, at)) };
    if (library.isAlias(node)) {
      report(at, ALIAS);
      return { at };
    }
    if (!library.isScalar<string>(node)) return { at, text: null };
    const isPlain = node.type === "PLAIN";
    // A text continues in lines that are indented further, even if they were meant as entries.
    const swallowed = isPlain ? text.slice(at.offset, node.range?.[1]).search(/\n\s*-\s/) : -1;
    if (swallowed >= 0)
      report(at, "a line that begins with a dash continues this text: indent it like this one");
    return { at, text: isPlain && /^(~|null)?$/i.test(node.value) ? null : node.value, isPlain };
  }

  function mapping({ items }: yaml.YAMLMap<yaml.Node, yaml.Node | null>, holder: Place): Members {
    const members = new Map<string, Member>();
    for (const { key, value } of items) {
      const at = placeOf(key, holder);
      const name = library.isScalar<string>(key) ? key.value : "";
      const before = members.get(name);
      if (before !== undefined)
        report(at, `this name is in line ${before.at.line} already: remove or rename one of them`);
      // As a property of an object, a member named __proto__ would vanish.
      if (["", "__proto__"].includes(name)) report(at, `no name can be ${JSON.stringify(name)}`);
      const node = read(value, at);
      members.set(name, { at, node });
    }
    return members;
  }

  const start = placeAt(0);
  const fault = firstFault(document);
  if (fault === undefined) return read(document.contents, start);
  report(placeAt(fault.at), fault.text);
  return undefined;
}

/** The members of a mapping. A missing one has none. Reports that anything else must be a mapping. */
export function membersOf(node: Node | undefined, path: string, example: string, report: Report): Members {
  const isOther = node !== undefined && node.members === undefined && node.text !== null;
  // Text in its place may be a secret.
  if (isOther)
    report(node.at, `${path} must be a mapping, with a space after each colon, such as ${example}`);
  return node?.members ?? new Map();
}

/** A value as a program would write it. */
export function toPlain({ text, isPlain, entries, members }: Node, shape?: string): unknown {
  if (members !== undefined) return {};
  if (entries !== undefined) return entries.map((entry) => toPlain(entry));
  const isTruth = shape === "boolean" && isPlain && /^(true|false)$/i.test(text ?? "");
  return isTruth ? /^t/i.test(text ?? "") : text;
}
