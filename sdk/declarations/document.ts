import type * as yaml from "yaml";
import { suggest } from "../../provider/schema/suggest";
import { DEEPER, syntaxMistakes } from "./syntax";

/** Reports a mistake at an offset into the file's text. */
export type Report = (at: number, text: string) => void;

/** A value of a file, and its offset into the text. An alias is the same node as its anchor: nothing is copied. */
export interface Node {
  readonly at: number;
  /** A string, a boolean, `null`, or an array or object with the values of the entries or members. */
  readonly value: unknown;
  readonly entries?: readonly Node[];
  readonly members?: ReadonlyMap<string, Member>;
  /** The shared list that contains it, if it comes from a list's name. */
  readonly list?: string;
}

/** A named value; `at` is the offset of the name. */
export interface Member {
  readonly at: number;
  node: Node;
}

/** Line and column of an offset, both from 1. */
export type Place = (at: number) => { readonly line: number; readonly col: number };

/**
 * Reads YAML 1.2, or reports why it can't be read. Text stays text, such as `0123`.
 *
 * @param isFlag whether the value of a name is `true` or `false`
 */
export function readDocument(
  text: string,
  isFlag: (name: string) => boolean,
  report: Report,
): { root: Node; place: Place } {
  // Loaded here, so that a program without such a file never loads it.
  const library: typeof yaml = require("yaml");
  const lineCounter = new library.LineCounter();
  const document = library.parseDocument(text, {
    schema: "failsafe",
    resolveKnownTags: false,
    stringKeys: true,
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter,
  });
  const place: Place = (at) => lineCounter.linePos(at);
  const anchors = new Map<string, Node>();
  const faults = syntaxMistakes(text, document, library);
  for (const each of faults) report(each.at, each.text);
  const root = faults.length > 0 ? { at: 0, value: "" } : read(document.contents, 0);
  return { root, place };

  function read(node: yaml.Node | null, holder: number, name = ""): Node {
    const at = node?.range?.[0] ?? holder;
    if (library.isAlias(node)) return target(node.source, at);
    const anchor = library.isScalar(node) || library.isCollection(node) ? node.anchor : undefined;
    if (anchor !== undefined) anchors.delete(anchor);
    const made = library.isMap<yaml.Node, yaml.Node | null>(node)
      ? mapping(node, at)
      : library.isSeq<yaml.Node>(node)
        ? sequence(
            node.items.map((each) => read(each, at)),
            at,
          )
        : scalar(node, at, name);
    if (anchor !== undefined) anchors.set(anchor, made);
    return made;
  }

  function target(name: string, at: number): Node {
    const known = anchors.get(name);
    if (known !== undefined) return known;
    const hint = suggest(name, anchors.keys(), "*") || "; text that begins with * needs quotes";
    report(at, `no anchor that ends before it has this name${hint}`);
    return { at, value: null };
  }

  function scalar(node: yaml.Node | null, at: number, name: string): Node {
    if (!library.isScalar<string>(node)) return { at, value: null };
    const { value, type, range } = node;
    if (type !== "PLAIN") return { at, value };
    // A text continues in lines that are indented further, even if they were meant as entries.
    const source = text.slice(at, range?.[1]);
    const swallowed = /\n\s*(?=-\s)/.exec(source);
    if (swallowed !== null && /^-\S/.test(source)) report(at, "write a space after the dash");
    else if (swallowed !== null) report(at + swallowed.index + swallowed[0].length, DEEPER);
    const isTruth = isFlag(name) && /^(true|false)$/i.test(value);
    return { at, value: isTruth ? /^t/i.test(value) : /^(~|null)?$/i.test(value) ? null : value };
  }

  function mapping({ items }: yaml.YAMLMap<yaml.Node, yaml.Node | null>, holder: number): Node {
    const members = new Map<string, Member>();
    for (const { key, value } of items) {
      const at = key.range?.[0] ?? holder;
      const name = library.isScalar<string>(key) ? key.value : "";
      const before = members.get(name);
      const node = read(value, at, name);
      if (before !== undefined)
        report(at, `this name is in line ${place(before.at).line} already: remove or rename one of them`);
      // Zod ignores a member named __proto__.
      else if (["", "__proto__"].includes(name)) report(at, `no name can be ${JSON.stringify(name)}`);
      else members.set(name, { at, node });
    }
    const lender = members.get("<<");
    members.delete("<<");
    // A mapping's own members come first, then those of the first `<<`.
    for (const each of lender?.node.entries ?? (lender ? [lender.node] : [])) {
      if (each.members === undefined && each.value !== null && lender !== undefined)
        report(lender.at, "<< needs the alias of a mapping, or a list of such aliases");
      for (const [name, member] of each.members ?? [])
        if (!members.has(name)) members.set(name, { ...member });
    }
    const values = [...members].map(([name, { node }]) => [name, node.value]);
    return { at: holder, members, value: Object.fromEntries(values) };
  }
}

/** Entries as one value. */
export function sequence(entries: readonly Node[], at: number): Node {
  return { at, entries, value: entries.map(({ value }) => value) };
}

/** Replaces the value of a member, if it has one. */
export function replaceMember({ members, value }: Node, name: string, by: (node: Node) => Node): void {
  const member = members?.get(name);
  if (member === undefined) return;
  member.node = by(member.node);
  Object.assign(Object(value), { [name]: member.node.value });
}
