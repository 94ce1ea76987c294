import { entriesIn } from "./correction";
import type { Diagnostics } from "./diagnostics";
import type { Member, Node, Scalar, Sequence } from "./node";

/**
 * What a list may be called. No address can be mistaken for a name, so a name that is mistyped among addresses is
 * an error.
 */
export const LIST_NAME = /^[A-Za-z_][\w-]*$/;

/** One value of a list argument, where it stands, and in which shared list. */
export interface Entry extends Scalar {
  readonly list?: string;
}

/** The lists that a file shares by name. A list may name others. */
export class Lists {
  private readonly known = new Map<string, readonly Entry[]>();

  constructor(
    private readonly members: ReadonlyMap<string, Member>,
    private readonly diagnostics: Diagnostics,
  ) {
    for (const { name, at } of members.values())
      if (!LIST_NAME.test(name))
        diagnostics.add(
          at,
          `lists.${name}: a list's name is letters, digits, "-" and "_", and no digit comes first`,
        );
    for (const name of members.keys()) this.named(name, []);
  }

  get names(): string[] {
    return [...this.members.keys()];
  }

  /** The values of a list argument: a list's name stands for its values, once each; any other text for itself. */
  expand({ entries }: Sequence, owner: string, path: readonly string[] = []): readonly Entry[] {
    const once = new Map<unknown, Entry>();
    for (const each of entries.flatMap((entry) => this.entry(entry, owner, path)))
      if (!once.has(each.value)) once.set(each.value, each);
    return [...once.values()];
  }

  private entry(node: Node, owner: string, path: readonly string[]): readonly Entry[] {
    if ("value" in node && node.reported) return [];
    if (!("value" in node) || typeof node.value !== "string") {
      this.diagnostics.add(
        node.at,
        `${owner}: an entry must be text, and true, false and null are text in quotes alone`,
      );
      return [];
    }
    if (!this.members.has(node.value)) {
      const list = path.at(-1);
      return [{ ...node, ...(list !== undefined && { list }) }];
    }
    if (!path.includes(node.value)) return this.named(node.value, path);
    this.diagnostics.add(
      node.at,
      `${owner}: a list can't contain itself: ${[...path.slice(path.indexOf(node.value)), node.value].join(" > ")}`,
    );
    return [];
  }

  private named(name: string, path: readonly string[]): readonly Entry[] {
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const node = this.members.get(name)?.node ?? { at: 0, value: null };
    const entries = "entries" in node ? this.expand(node, `lists.${name}`, [...path, name]) : [];
    if (!("entries" in node) && !("value" in node && node.reported)) {
      const text = "value" in node && typeof node.value === "string" ? entriesIn(node.value) : [];
      const hint = text.length > 0 ? `: write [${text.join(", ")}]` : ", such as [192.0.2.7]";
      this.diagnostics.add(node.at, `lists.${name} must be a list${hint}`);
    }
    this.known.set(name, entries);
    return entries;
  }
}

/** For what has no lists to name. */
export function noLists(diagnostics: Diagnostics): Lists {
  return new Lists(new Map(), diagnostics);
}
