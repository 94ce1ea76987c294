import type * as yaml from "yaml";
import { suggest } from "../../provider/suggest";
import type { Diagnostics } from "./diagnostics";
import type { Member, Node } from "./node";
import type { KnownNames } from "./syntax/repair";

/** Turns the parser's nodes into ours. An alias is the node of its anchor, and not a copy of it. */
export class NodeReader {
  private readonly converted = new Map<yaml.Node, Node | "open">();
  private readonly anchors = new Set<string>();

  /** @param origin of an offset in the text that was parsed, the one in the file */
  constructor(
    private readonly library: typeof yaml,
    private readonly document: yaml.Document.Parsed,
    private readonly diagnostics: Diagnostics,
    private readonly names: KnownNames,
    private readonly text: string,
    private readonly origin: (offset: number) => number,
  ) {}

  /** @param at the place of what holds it, in the text that was parsed */
  read(node: yaml.Node | null, at: number): Node {
    const place = node?.range?.[0] ?? at;
    if (this.library.isAlias(node)) return this.alias(node, place);
    return node === null ? { at: this.origin(place), value: null } : this.convertOnce(node, place);
  }

  private alias(node: yaml.Alias, place: number): Node {
    const target = node.resolve(this.document);
    if (target !== undefined) return this.convertOnce(target, place);
    const hint = suggest(node.source, this.anchors, "*");
    // A host name with a wildcard, say: whoever knows what it is of says what is wrong with it.
    if (hint === "") return { at: this.origin(place), value: `*${node.source}`, danglingAlias: true };
    this.diagnostics.add(this.origin(place), `there is no anchor of this name before it${hint}`);
    return { at: this.origin(place), value: null, reported: true };
  }

  private convertOnce(target: yaml.Node, place: number): Node {
    const known = this.converted.get(target);
    if (known === "open") {
      this.diagnostics.add(this.origin(place), "this alias stands within its own anchor");
      return { at: this.origin(place), value: null, reported: true };
    }
    if (known !== undefined) return known;
    if ("anchor" in target && target.anchor !== undefined) this.anchors.add(String(target.anchor));
    this.converted.set(target, "open");
    const convert = this.made(target, target.range?.[0] ?? place);
    this.converted.set(target, convert);
    return convert;
  }

  private made(node: yaml.Node, place: number): Node {
    const at = this.origin(place);
    if (this.library.isSeq<yaml.Node>(node))
      return { at, entries: node.items.map((each) => this.read(each, place)) };
    if (this.library.isMap<yaml.Node, yaml.Node | null>(node))
      return { at, members: this.members(node, place) };
    const { value, source = "", type = "PLAIN", tag = "" } = this.library.isScalar(node) ? node : {};
    // The parser has told of the tag.
    if (tag !== "" && !tag.startsWith("tag:yaml.org")) return { at, value: null, reported: true };
    if (type === "PLAIN" && this.swallowsNextLine(node)) return { at, value: null, reported: true };
    const isKept = typeof value === "string" || typeof value === "boolean" || value === null;
    return { at, value: isKept ? value : source, ...(type.startsWith("QUOTE") && { quoted: true }) };
  }

  /** A text goes on in lines that are indented further, also where they were meant as something else. */
  private swallowsNextLine({ range }: yaml.Node): boolean {
    const [start = 0, end = start] = range ?? [];
    const found = /\n\s*(?=-\s|([\w-]+):)/.exec(this.text.slice(start, end));
    if (found === null || (found[1] !== undefined && !this.names.has(found[1]))) return false;
    if (/^-\S/.test(this.text.slice(start, end))) {
      this.diagnostics.add(this.origin(start), "write a space after the dash");
      return true;
    }
    this.diagnostics.add(
      this.origin(start + found.index + found[0].length),
      "this line is indented further than the one above, and so goes on with its text: indent it as that one",
    );
    return true;
  }

  /** A mapping's own members, and those that `<<` lends it. */
  private members(map: yaml.YAMLMap<yaml.Node, yaml.Node | null>, place: number): Map<string, Member> {
    const all = map.items.map(({ key, value }) => this.member(key, value, place));
    const own = all.filter(({ name }) => name !== "");
    this.reportRepeatedNames(own);
    const mergedMembers = own.filter(({ name }) => name === "<<").flatMap((each) => this.lent(each));
    // Of two that are lent, the first one counts; what stands there itself counts before both.
    const merged = [...mergedMembers.reverse(), ...own.filter(({ name }) => name !== "<<")];
    const known = new Map<string, Member>();
    const ours = new Set(own);
    for (const each of merged) {
      const before = known.get(each.name);
      // Of two of its own, the first one counts; the second has been told.
      if (before === undefined || !ours.has(before)) known.set(each.name, each);
    }
    return known;
  }

  private reportRepeatedNames(members: readonly Member[]): void {
    const first = new Map<string, Member>();
    for (const each of members) {
      const before = first.get(each.name);
      if (before === undefined) first.set(each.name, each);
      else
        this.diagnostics.add(each.at, (line) => {
          const name = /^[\w.-]+$/.test(each.name) ? each.name : "this name";
          return `${name} is in line ${line(before.at)} already: take one of the two out, or rename it`;
        });
    }
  }

  private member(key: yaml.Node, value: yaml.Node | null, at: number): Member {
    const place = key.range?.[0] ?? at;
    const name = this.read(key, place);
    const node = this.read(value, place);
    if (!("value" in name) || name.value === null || name.value === "") {
      this.diagnostics.add(this.origin(place), "a name must be text that is not empty");
      return { at: this.origin(place), name: "", node };
    }
    const text = String(name.value);
    const [, stuck] = (!name.quoted && /^([\w.-]+):(?=[[{"'])/.exec(text)) || [];
    const [, known = stuck, colon] = (!name.quoted && /^([\w-]+)(:|\s+)./.exec(text)) || [];
    const isAlone = colon === ":" || ("value" in node && node.value === null);
    if (known === undefined || (stuck === undefined && !(isAlone && this.names.has(known))))
      return { at: this.origin(place), name: text, node };
    this.diagnostics.add(
      this.origin(place),
      stuck === undefined && colon !== ":"
        ? `write a colon and a space after ${known}`
        : `write a space after the colon of ${known}`,
    );
    return { at: this.origin(place), name: known, node: { at: node.at, value: null, reported: true } };
  }

  private lent({ at, node }: Member): Member[] {
    if ("value" in node && node.reported) return [];
    const lenders = "entries" in node ? node.entries : [node];
    return lenders.flatMap((lender) => {
      if ("members" in lender) return [...lender.members.values()];
      this.diagnostics.add(
        "danglingAlias" in lender ? lender.at : at,
        "danglingAlias" in lender
          ? "there is no anchor of this name before it"
          : "<< takes the alias of a mapping, or a list of them",
      );
      return [];
    });
  }
}
