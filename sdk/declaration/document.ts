import type * as yaml from "yaml";
import type { Mistakes } from "./mistakes";

/** A value of a file; `at` is its offset into the text, for messages. */
export type Node = Scalar | Sequence | Mapping;

/** A number is its text as written: `0123` and `1e5` name pixels as well as words do. */
export interface Scalar {
  readonly at: number;
  readonly value: string | boolean | null;
}

export interface Sequence {
  readonly at: number;
  readonly entries: readonly Node[];
}

export interface Mapping {
  readonly at: number;
  readonly members: ReadonlyMap<string, Member>;
}

export interface Member {
  /** The place of its name. */
  readonly at: number;
  readonly name: string;
  readonly node: Node;
}

/** Reads the text of a YAML 1.2 file: its one document, or nothing where it can't be read. */
export function parse(text: string, mistakes: Mistakes): Node | undefined {
  // Loaded here, so that a program which declares nothing from a file never does.
  const library: typeof yaml = require("yaml");
  const documents = library.parseAllDocuments(text, { schema: "core", prettyErrors: false });
  const [document, second] = "empty" in documents ? [] : documents;
  if (document === undefined || document.contents === null || isNothing(library, document)) {
    mistakes.add(0, "the file is empty; to declare nothing, write {}");
    return undefined;
  }
  if (second !== undefined)
    mistakes.add(second.range[0], "a second document begins here; a file is one document");
  const faults = [...document.errors, ...document.warnings];
  for (const fault of faults) mistakes.add(fault.pos[0], words(fault, text));
  // Of a text whose shape is in doubt, everything else that could be said is too.
  if (faults.some(({ code }) => !SHAPELY.has(code))) return undefined;
  return new Reader(library, document, mistakes).read(document.contents, 0);
}

function isNothing(library: typeof yaml, { contents, errors }: yaml.Document.Parsed): boolean {
  return errors.length === 0 && library.isScalar(contents) && contents.value === null;
}

const SHAPELY: ReadonlySet<yaml.ErrorCode> = new Set(["DUPLICATE_KEY", "BAD_ALIAS", "TAG_RESOLVE_FAILED"]);

const NO_ANCHOR = "there is no anchor of this name before it; a text that begins with * needs quotes";
const WORDS: Partial<Record<yaml.ErrorCode, string>> = {
  BAD_ALIAS: NO_ANCHOR,
  BAD_DQ_ESCAPE: "there is no such escape in double quotes; single quotes take a text as it stands",
  TAB_AS_INDENT: "a tab can't indent; use spaces",
  TAG_RESOLVE_FAILED: "this tag has no meaning here; a text that begins with ! needs quotes",
};

/** The parser's words, without the part of the file that some of them quote: it may be a secret. */
function words({ code, message, pos }: yaml.YAMLError, text: string): string {
  if (code !== "DUPLICATE_KEY") return WORDS[code] ?? (message.split(": ")[0] || code);
  const name = /^[\w.-]+/.exec(text.slice(pos[0]))?.[0];
  return name === undefined ? "this key is there already" : `${name} is there already`;
}

/** The members of what may be left out, or left empty. */
export function membersOf(node: Node | undefined, owner: string, mistakes: Mistakes): Mapping["members"] {
  if (node === undefined || ("value" in node && node.value === null)) return new Map();
  if ("members" in node) return node.members;
  mistakes.add(node.at, `${owner} must be a mapping: names, each with a value`);
  return new Map();
}

/** Turns the parser's nodes into ours. An alias is the node of its anchor, and not a copy of it. */
class Reader {
  private readonly done = new Map<yaml.Node, Node | "open">();

  constructor(
    private readonly library: typeof yaml,
    private readonly document: yaml.Document.Parsed,
    private readonly mistakes: Mistakes,
  ) {}

  read(node: yaml.Node | null, at: number): Node {
    const place = node?.range?.[0] ?? at;
    const target = this.library.isAlias(node) ? node.resolve(this.document) : node;
    if (target === undefined) this.mistakes.add(place, NO_ANCHOR);
    if (target === undefined || target === null) return { at: place, value: null };
    const known = this.done.get(target);
    if (known === "open") {
      this.mistakes.add(place, "this alias stands within its own anchor");
      return { at: place, value: null };
    }
    if (known !== undefined) return known;
    this.done.set(target, "open");
    const made = this.made(target, target.range?.[0] ?? place);
    this.done.set(target, made);
    return made;
  }

  private made(node: yaml.Node, at: number): Node {
    if (this.library.isSeq<yaml.Node>(node))
      return { at, entries: node.items.map((each) => this.read(each, at)) };
    if (this.library.isMap<yaml.Node, yaml.Node | null>(node)) return { at, members: this.members(node, at) };
    const { value, source = "" } = this.library.isScalar(node) ? node : {};
    const isKept = typeof value === "string" || typeof value === "boolean" || value === null;
    return { at, value: isKept ? value : source };
  }

  /** A mapping's own members, and those that `<<` lends it. */
  private members(map: yaml.YAMLMap<yaml.Node, yaml.Node | null>, at: number): Map<string, Member> {
    const own = map.items
      .map(({ key, value }) => this.member(key, value, at))
      .filter(({ name }) => name !== "");
    const lent = own.filter(({ name }) => name === "<<").flatMap((each) => this.lent(each));
    // Of two that are lent, the first one counts; what stands there itself counts before both.
    const all = [...lent.reverse(), ...own.filter(({ name }) => name !== "<<")];
    return new Map(all.map((each) => [each.name, each]));
  }

  private member(key: yaml.Node, value: yaml.Node | null, at: number): Member {
    const name = this.read(key, at);
    const place = key.range?.[0] ?? name.at;
    const node = this.read(value, place);
    if ("value" in name && name.value !== null && name.value !== "")
      return { at: place, name: String(name.value), node };
    this.mistakes.add(place, "a name must be text that is not empty");
    return { at: place, name: "", node };
  }

  private lent({ at, node }: Member): Member[] {
    const lenders = "entries" in node ? node.entries : [node];
    return lenders.flatMap((lender) => {
      if ("members" in lender) return [...lender.members.values()];
      this.mistakes.add(at, "<< takes the alias of a mapping, or a list of them");
      return [];
    });
  }
}
