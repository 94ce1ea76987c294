/** A file's text as it will be: what is not changed keeps every byte, and no comment is lost. */
import type * as yaml from "yaml";
import { parseText, type TextFile } from "./document";

/** A change that is not possible in place, as one of a text in a tag's or a key's odd position. */
export class Unfit extends Error {}

/** Where a node's text is. Every node of a document that was read from text has one. */
function spanOf(node: yaml.Node | null | undefined): readonly [start: number, end: number] {
  if (!node?.range) throw new Unfit();
  return [node.range[0], node.range[1]];
}

/** The places of all comments among a text's tokens. */
function commentsIn(token: object, found: [number, number][] = []): [number, number][] {
  const { type, offset, source } = token as { type?: string; offset?: number; source?: string };
  if (type === "comment" && offset !== undefined && source !== undefined)
    found.push([offset, offset + source.length]);
  for (const part of Object.values(token))
    if (typeof part === "object" && part !== null) commentsIn(part, found);
  return found;
}

type Collection = yaml.YAMLMap<yaml.Scalar, yaml.Node | null> | yaml.YAMLSeq<yaml.Node>;

/** What to do to a mapping or a list. */
export interface CollectionChange {
  /** The entries that go, by their place. */
  readonly removed: ReadonlySet<number>;
  /** The texts of new ones, and of which entry they come after; by default the last. */
  readonly added: readonly string[];
  readonly after?: number;
  /** The comments of what goes, go too: left behind, they would seem to be about what follows. */
  readonly withComments?: boolean;
}

/** One file of declarations, changed piece by piece. */
export class Draft {
  readonly document: yaml.Document.Parsed;
  readonly library: typeof yaml;
  private readonly text: string;
  /** Whether a character goes. */
  private readonly gone: Uint8Array;
  private readonly isComment: Uint8Array;
  private readonly inserted = new Map<number, string>();
  /** Whole lines, by the start of the line before which they come. */
  private readonly lines = new Map<number, readonly string[]>();
  private readonly lineCounter: yaml.LineCounter;
  private readonly lineEnd: string;

  constructor({ text }: TextFile) {
    const { document, library, lineCounter } = parseText(text);
    this.document = document;
    this.library = library;
    this.lineCounter = lineCounter;
    this.text = text;
    this.gone = new Uint8Array(text.length);
    this.isComment = new Uint8Array(text.length);
    this.lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
    for (const token of new library.Parser().parse(text))
      for (const [start, end] of commentsIn(token)) this.isComment.fill(1, start, end);
  }

  /** The line of a place, from 1. */
  lineOf(node: yaml.Node): number {
    return this.lineCounter.linePos(spanOf(node)[0]).line;
  }

  /** Changes a value, or gives one to a name that has none. */
  replace(key: yaml.Scalar, value: yaml.Node | null, text: string): void {
    if (value === null || spanOf(value)[0] === spanOf(value)[1]) {
      this.insert(this.afterColon(key), ` ${text}`);
      return;
    }
    const [start, end] = spanOf(value);
    this.remove(start, end);
    // Else the rest of `{ name: "A⏎ B", type: bing }` would be a line of its own, and no YAML.
    if (this.library.isScalar(value) && !/^BLOCK/.test(value.type ?? "")) this.gone.fill(1, start, end);
    this.insert(start, text);
  }

  /** Removes and adds entries. */
  change(key: yaml.Scalar, collection: Collection, change: CollectionChange): void {
    if (collection.flow) this.changeFlow(collection, change);
    else this.changeBlock(key, collection, change);
  }

  /** The whole text. A line of which nothing is left goes too. */
  toString(): string {
    const out: string[] = [];
    for (let start = 0; start <= this.text.length; ) {
      out.push(...(this.lines.get(start) ?? []).map((line) => line + this.lineEnd));
      const newline = this.text.indexOf("\n", start);
      const next = newline < 0 ? this.text.length + 1 : newline + 1;
      out.push(this.lineAt(start, Math.min(next, this.text.length)));
      start = next;
    }
    return out.join("");
  }

  private lineAt(start: number, end: number): string {
    let line = "";
    let hasChanged = false;
    for (let at = start; at <= end; at += 1) {
      const inserted = at < end || end === this.text.length ? this.inserted.get(at) : undefined;
      if (inserted !== undefined) line += inserted;
      if (at === end) break;
      if (this.gone[at]) hasChanged = true;
      else line += this.text[at];
    }
    if (!hasChanged) return line;
    if (line.trim() === "") return "";
    // The comment of what has gone stands where that stood.
    if (line.trimStart().startsWith("#")) {
      const [indent = ""] = /^[ \t]*/.exec(this.text.slice(start, end)) ?? [];
      return indent + line.trimStart();
    }
    return line.replace(/[ \t]+(?=\r?\n?$)/, "");
  }

  private insert(at: number, text: string): void {
    this.inserted.set(at, (this.inserted.get(at) ?? "") + text);
  }

  /** Removes all but line ends and, by default, comments. */
  private remove(start: number, end: number, withComments = false): void {
    for (let at = start; at < end; at += 1)
      if ((withComments || !this.isComment[at]) && !/[\r\n]/.test(this.text[at] ?? "")) this.gone[at] = 1;
  }

  private startOfLine(place: number): number {
    return this.text.lastIndexOf("\n", place - 1) + 1;
  }

  private endOfLine(place: number): number {
    const newline = this.text.indexOf("\n", place);
    return newline < 0 ? this.text.length : newline;
  }

  /** How far a line is indented that is a comment alone. */
  private indentOfComment(start: number): number | undefined {
    const [blanks = ""] = /^[ \t]*/.exec(this.text.slice(start, this.endOfLine(start))) ?? [];
    return this.isComment[start + blanks.length] ? blanks.length : undefined;
  }

  /** An entry's lines with the comments on it: right above it, beside it, and below it, if they are indented further. */
  private withComments(from: number, to: number): [start: number, end: number] {
    let start = this.startOfLine(from);
    const indent = from - start;
    while (start > 0 && this.indentOfComment(this.startOfLine(start - 1)) === indent)
      start = this.startOfLine(start - 1);
    let end = this.endOfLine(to);
    while (end < this.text.length && (this.indentOfComment(end + 1) ?? 0) > indent)
      end = this.endOfLine(end + 1);
    return [start, end];
  }

  /** The place of a character that follows, between two nodes, outside of comments. */
  private find(character: string, from: number, to: number): number | undefined {
    for (let at = from; at < to; at += 1) if (this.text[at] === character && !this.isComment[at]) return at;
    return undefined;
  }

  private afterColon(key: yaml.Scalar): number {
    const colon = this.find(":", spanOf(key)[1], this.text.length);
    if (colon === undefined) throw new Unfit();
    return colon + 1;
  }

  /** Where an entry's text is; of an entry of a list in lines, without its dash. */
  private entryOf(item: Collection["items"][number]): readonly [start: number, end: number] {
    if (!this.library.isPair<yaml.Scalar, yaml.Node | null>(item)) return [spanOf(item)[0], this.endOf(item)];
    return [spanOf(item.key)[0], item.value === null ? spanOf(item.key)[1] : this.endOf(item.value)];
  }

  /** Where a value ends, without the comments and lines after it. */
  private endOf(node: yaml.Node): number {
    const isOpen = this.library.isCollection(node) && !node.flow;
    const last = isOpen ? (node.items.at(-1) as Collection["items"][number] | undefined) : undefined;
    const end = last === undefined ? spanOf(node)[1] : this.entryOf(last)[1];
    return this.text.slice(0, end).trimEnd().length;
  }

  private changeFlow(collection: Collection, change: CollectionChange): void {
    const { removed, added, after } = change;
    const entries = [...collection.items].map((item) => this.entryOf(item));
    const [start, close] = [spanOf(collection)[0], spanOf(collection)[1] - 1];
    const commaAfter = entries.map(([, end], index) => this.find(",", end, entries[index + 1]?.[0] ?? close));
    // Without a comma at the end, the last ones go with the comma before them.
    const isLastGone = removed.has(entries.length - 1) && commaAfter.at(-1) === undefined;
    let firstOfEnd = entries.length;
    while (isLastGone && removed.has(firstOfEnd - 1)) firstOfEnd -= 1;
    for (const index of removed) {
      const entry = entries[index];
      if (entry === undefined) throw new Unfit();
      this.remove(...entry, change.withComments);
      const comma = index < firstOfEnd ? commaAfter[index] : commaAfter[index - 1];
      if (comma !== undefined) this.removeComma(comma);
    }
    if (added.length === 0) return;
    const kept = [...entries.keys()].filter((index) => !removed.has(index));
    const place = after ?? kept.at(-1);
    if (place === undefined) this.insert(start + 1, added.join(", "));
    else this.insert(entries[place]?.[1] ?? close, added.map((text) => `, ${text}`).join(""));
  }

  /** Removes a comma and the blanks after it. */
  private removeComma(comma: number): void {
    const [blanks = ""] = /^[ \t]*(?![ \t]*#)/.exec(this.text.slice(comma + 1)) ?? [];
    this.remove(comma, comma + 1 + blanks.length);
  }

  private changeBlock(key: yaml.Scalar, collection: Collection, change: CollectionChange): void {
    const { removed, added, after } = change;
    const isList = this.library.isSeq(collection);
    const entries = [...collection.items].map((item) => this.entryOf(item));
    const starts = entries.map(([start]) => (isList ? this.dashBefore(start) : start));
    for (const index of removed) {
      const span = [starts[index] ?? 0, entries[index]?.[1] ?? 0] as const;
      this.remove(...(change.withComments ? this.withComments(...span) : span), change.withComments);
    }
    if (removed.size === entries.length && added.length === 0 && isList)
      this.insert(this.afterColon(key), " []");
    const place = after ?? entries.length - 1;
    const [start = 0, end] = [starts[place], entries[place]?.[1]];
    if (added.length === 0 || end === undefined) return;
    const indent = this.text.slice(this.text.lastIndexOf("\n", start - 1) + 1, start);
    if (indent.trim() !== "") throw new Unfit();
    this.addLines(
      end,
      added.map((text) => `${indent}${isList ? "- " : ""}${text}`),
    );
  }

  private dashBefore(start: number): number {
    const [found] = /-\s*$/.exec(this.text.slice(0, start)) ?? [];
    if (found === undefined) throw new Unfit();
    return start - found.length;
  }

  /** Adds lines after the one in which this place is. */
  private addLines(place: number, lines: readonly string[]): void {
    const newline = this.text.indexOf("\n", place);
    if (newline < 0) this.insert(this.text.length, lines.map((line) => this.lineEnd + line).join(""));
    else this.lines.set(newline + 1, lines);
  }
}

/**
 * A value as YAML writes it, in the quotes of the one that it replaces: true and false, text, or a list of texts.
 *
 * @param like the value that it replaces
 */
export function textOf(
  library: typeof yaml,
  value: unknown,
  isFlow: boolean,
  like?: yaml.Node | null,
): string {
  if (Array.isArray(value)) return `[${value.map((entry) => textOf(library, entry, true)).join(", ")}]`;
  if (typeof value === "boolean") return String(value);
  const scalar = new library.Scalar(String(value));
  if (library.isScalar(like) && /QUOTE/.test(like.type ?? "")) scalar.type = like.type as yaml.Scalar.Type;
  if (/[\r\n\p{Cf}\p{Cc}\u2028\u2029]/u.test(String(value))) return escaped(String(value));
  const document = new library.Document(isFlow ? [scalar] : { a: scalar });
  if (library.isCollection(document.contents)) document.contents.flow = isFlow;
  const written = document.toString({ lineWidth: 0, flowCollectionPadding: false }).trimEnd();
  return isFlow ? written.slice(1, -1) : written.slice("a: ".length);
}

/** In double quotes, with escapes for what a reader of the file could not see: U+202E shows text backwards. */
function escaped(text: string): string {
  return JSON.stringify(text).replace(/[\p{Cf}\p{Cc}\u2028\u2029]/gu, (character) =>
    character
      .split("")
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join(""),
  );
}
