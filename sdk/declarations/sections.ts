import { pluralName, type Resource } from "../../provider/schema/resource";
import { suggest } from "../../provider/suggest";
import type { Diagnostics } from "./diagnostics";
import { argumentsOf, example } from "./entry";
import { type Mapping, type Member, membersOf, type Node } from "./node";

/** Sections of this kind are for anchors, and otherwise not looked at. */
export const EXTENSION_SECTION = /^x-/;
/** The section of the lists that a file shares by name. */
const LISTS = "lists";

/** One resource's place in a file. */
export interface Place {
  readonly resource: Resource;
  /** How the file itself names it, such as `websites.shop`. */
  readonly path: string;
  readonly member: Member;
}

/** What a file has: its shared lists, and its resources. What stands at another level than it should is told. */
export class Sections {
  private readonly byName: ReadonlyMap<string, Resource>;

  constructor(
    catalogue: readonly Resource[],
    private readonly diagnostics: Diagnostics,
  ) {
    this.byName = new Map(catalogue.map((each) => [pluralName(each), each]));
  }

  get names(): string[] {
    return [LISTS, ...this.byName.keys()];
  }

  read(root: Node | undefined): { readonly lists: Mapping["members"]; readonly places: readonly Place[] } {
    const members = [...membersOf(root, "the file", this.diagnostics, "websites:").values()];
    const own = members
      .filter(({ name }) => !EXTENSION_SECTION.test(name))
      .flatMap((each) => this.unnested(each));
    const lists = own.filter(({ name }) => name === LISTS);
    const example = "office: [192.0.2.0/24]";
    return {
      lists: new Map(lists.flatMap(({ node }) => [...membersOf(node, LISTS, this.diagnostics, example)])),
      places: own.filter(({ name }) => name !== LISTS).flatMap((each) => this.placesIn(each)),
    };
  }

  /** A section, and sections that stand within it by mistake. */
  private unnested(member: Member): Member[] {
    if (!("members" in member.node) || !this.names.includes(member.name)) return [member];
    const within = this.sectionsIn([...member.node.members.values()]);
    for (const { name, at } of within)
      this.diagnostics.add(at, `${name} is a section of its own: begin this line without spaces`);
    const moved = new Set(
      within.flatMap(({ at, node }) => [
        at,
        ...("members" in node ? [...node.members.values()].map((each) => each.at) : []),
      ]),
    );
    const members = new Map([...member.node.members].filter(([, each]) => !moved.has(each.at)));
    return [{ ...member, node: { at: member.node.at, members } }, ...within];
  }

  /** Those that were indented as a whole, and those whose first line was, so that all that follows is theirs. */
  private sectionsIn(members: readonly Member[]): Member[] {
    const at = members.findIndex(
      ({ name, node }) =>
        this.names.includes(name) && "value" in node && node.value === null && !node.reported,
    );
    const open = members[at];
    const whole = members.slice(0, at < 0 ? undefined : at).filter((each) => this.isSection(each));
    if (open === undefined) return whole;
    const later = new Map(members.slice(at + 1).map((each) => [each.name, each]));
    return [...whole, { ...open, node: { at: open.node.at, members: later } }];
  }

  private isSection({ name, node }: Member): boolean {
    if (!this.names.includes(name) || !("members" in node) || node.members.size === 0) return false;
    const kind = name === LISTS ? "entries" : "members";
    return [...node.members.values()].every((each) => kind in each.node);
  }

  private placesIn({ name: from, at, node }: Member): Place[] {
    const resource = this.byName.get(from);
    if (resource === undefined) {
      const hint = suggest(from, this.names) || `; a file has ${this.names.join(", ")}`;
      this.diagnostics.add(
        at,
        this.isArgument(from)
          ? `${from} is an argument: it stands below its section and the name of its resource, indented by 4 spaces`
          : `there is no ${JSON.stringify(from)}${hint}`,
      );
      return [];
    }
    const members = [...membersOf(node, from, this.diagnostics, `shop: ${example(resource)}`).values()];
    return this.gathered(resource, members).map((member) => ({
      ...{ resource, member, path: `${from}.${member.name}` },
    }));
  }

  private isArgument(name: string): boolean {
    return [...this.byName.values()].some((each) => Object.hasOwn(argumentsOf(each), name));
  }

  /** Resources, with those arguments that stand at the level of their name put below it. */
  private gathered(resource: Resource, members: readonly Member[]): Member[] {
    const names = new Set([...Object.keys(argumentsOf(resource)), "options"]);
    const found: Member[] = [];
    for (const each of members) {
      const before = found.at(-1);
      if (!isStray(each, names)) found.push(each);
      else {
        const whose = before === undefined ? "the name of its resource" : before.name;
        this.diagnostics.add(
          each.at,
          `${each.name} is an argument: indent this line further than ${whose}, to which it belongs`,
        );
        if (before !== undefined) found.splice(-1, 1, withArgument(before, each));
      }
    }
    return found;
  }
}

/** An argument where a resource's name should be: what has a name's value is a name, whatever it is called. */
function isStray({ name, node }: Member, names: ReadonlySet<string>): boolean {
  if (!names.has(name) || ("value" in node && (node.value === null || node.reported))) return false;
  if (!("members" in node)) return true;
  const inner = [...node.members.keys()];
  return name === "options"
    ? !inner.some((each) => names.has(each))
    : inner.length === 1 && inner[0] === "config";
}

function withArgument(resource: Member, argument: Member): Member {
  const { node } = resource;
  if (!("members" in node) && !("value" in node && node.value === null)) return resource;
  const members = "members" in node ? node.members : [];
  return { ...resource, node: { at: node.at, members: new Map([...members, [argument.name, argument]]) } };
}
