/** Files of declarations, as they are changed: which text of them a change belongs to. */
import type * as yaml from "yaml";
import { fieldOf, pluralName, type Resource } from "../../provider/schema/resource";
import type { Declaration } from "./declaration";
import type { TextFile } from "./document";
import { Draft, textOf, Unfit } from "./draft";
import { DEFAULTS } from "./file";
import { LISTS } from "./lists";

/** A declaration, and what to change in it. */
export interface Edit {
  readonly resource: Resource;
  readonly name: string;
  /** Values as the service has them, by argument. Empty if only its place is asked for. */
  readonly values: Readonly<Record<string, unknown>>;
  /** What the program says. If a file says otherwise, a function computes it, or somebody has just changed the file. */
  readonly declared?: Readonly<Record<string, unknown>>;
  /** Someone deleted the record: the whole declaration goes. */
  readonly isDeleted?: boolean;
}

type Entry = yaml.Pair<yaml.Scalar<string>, yaml.Node | null>;
type Mapping = yaml.YAMLMap<yaml.Scalar<string>, yaml.Node | null>;
/** An entry, the mapping that it is in, and its file. */
interface Found {
  readonly draft: Draft;
  readonly file: string;
  readonly key: yaml.Scalar<string>;
  readonly map: Mapping;
  readonly pair: Entry;
}

/** The path of a declaration. */
export const idOf = ({ resource, name }: Pick<Edit, "resource" | "name">) =>
  `${pluralName(resource)}.${name}`;

/** The entries of a mapping, by name. */
function entriesOf(draft: Draft, node: yaml.Node | null | undefined): Map<string, Entry> {
  const { library } = draft;
  const items = library.isMap<yaml.Scalar<string>, yaml.Node | null>(node) ? node.items : [];
  return new Map(items.map((pair) => [pair.key.value, pair]));
}

/** Files of declarations, as they are changed. */
export class ChangedFiles {
  private readonly drafts: readonly { readonly file: string; readonly draft: Draft }[];
  private readonly declarations = new Map<string, Found>();
  private readonly defaults = new Map<string, Found>();
  private readonly lists = new Map<string, Found>();

  constructor(files: readonly TextFile[], catalogue: readonly Resource[]) {
    this.drafts = files.map((file) => ({ file: file.file, draft: new Draft(file) }));
    for (const { file, draft } of this.drafts) {
      const sections = entriesOf(draft, draft.document.contents);
      const collect = (pair: Entry | undefined, into: Map<string, Found>, prefix = "") => {
        for (const [name, each] of entriesOf(draft, pair?.value))
          into.set(prefix + name, {
            draft,
            file,
            key: pair?.key as Found["key"],
            map: pair?.value as Mapping,
            pair: each,
          });
      };
      const defaults = entriesOf(draft, sections.get(DEFAULTS)?.value);
      collect(sections.get(LISTS), this.lists);
      for (const section of catalogue.map(pluralName)) {
        collect(sections.get(section), this.declarations, `${section}.`);
        collect(defaults.get(section), this.defaults, `${section}.`);
      }
    }
  }

  /** The names of shared lists. */
  listNames(): string[] {
    return [...this.lists.keys()];
  }

  texts(): TextFile[] {
    return this.drafts.map(({ file, draft }) => ({ file, text: draft.toString() }));
  }

  placeOf(edit: Pick<Edit, "resource" | "name">): string | undefined {
    const found = this.declarations.get(idOf(edit));
    return found && `${found.file}:${found.draft.lineOf(found.pair.key)}`;
  }

  /** Makes the changes. Throws `Unfit` if one is not possible. */
  apply(edits: readonly Edit[], before: ReadonlyMap<string, Declaration>): void {
    this.removeDeleted(edits);
    const lists = this.editLists(edits, before);
    for (const edit of edits) if (!edit.isDeleted) this.editArguments(edit, lists);
  }

  private removeDeleted(edits: readonly Edit[]): void {
    const bySection = new Map<Mapping, { found: Found; removed: Set<number> }>();
    for (const edit of edits.filter(({ isDeleted }) => isDeleted)) {
      const found = this.declarations.get(idOf(edit));
      if (found === undefined) continue;
      const entry = bySection.get(found.map) ?? { found, removed: new Set<number>() };
      entry.removed.add(found.map.items.indexOf(found.pair));
      bySection.set(found.map, entry);
    }
    for (const [map, { found, removed }] of bySection)
      found.draft.change(found.key, map, { removed, added: [], withComments: true });
  }

  /** The argument as a declaration writes it, or its defaults. */
  private writtenAs(resource: Resource, name: string, argument: string): yaml.Node | null | undefined {
    const found = this.declarations.get(`${pluralName(resource)}.${name}`);
    const own = found && entriesOf(found.draft, found.pair.value).get(argument)?.value;
    return own ?? this.defaults.get(`${pluralName(resource)}.${argument}`)?.pair.value;
  }

  /** The texts of a list argument's entries, each a value or a list's name. */
  private entriesIn(node: yaml.Node | null | undefined): string[] {
    const { library } = (this.drafts[0] as { draft: Draft }).draft;
    const nodes = library.isSeq<yaml.Node>(node) ? node.items : [node];
    return nodes.flatMap((each) => (library.isScalar<string>(each) ? each.value : []));
  }

  /**
   * Changes a shared list if all that use it changed alike: what it lost, and what it got if it alone is the argument or
   * several use it. Returns what each list holds then.
   */
  private editLists(edits: readonly Edit[], before: ReadonlyMap<string, Declaration>): Map<string, string[]> {
    const lists = new Map([...this.lists].map(([name, { pair }]) => [name, this.entriesIn(pair.value)]));
    const users = this.usersOfLists(edits, before, lists);
    for (const [name, uses] of users) {
      const values = lists.get(name) ?? [];
      const changes = uses.map(({ wanted, entries, canonical }) => {
        const isWanted = new Set(wanted.map(canonical));
        const held = new Set(entries.flatMap((entry) => lists.get(entry) ?? [entry]).map(canonical));
        const isAlone = uses.length > 1 || entries.length === 1;
        return {
          lost: values.filter((value) => !isWanted.has(canonical(value))),
          got: isAlone ? wanted.filter((value) => !held.has(canonical(value))) : [],
        };
      });
      const [first = { lost: [], got: [] }] = changes;
      const keyOf = (change: typeof first) =>
        JSON.stringify([change.lost, change.got.map((value) => uses[0]?.canonical(value)).sort()]);
      const areAlike = changes.every((change) => keyOf(change) === keyOf(first));
      if (!areAlike || first.lost.length + first.got.length === 0) continue;
      if (!this.changeList(name, first)) continue;
      lists.set(name, [...values.filter((value) => !first.lost.includes(value)), ...first.got]);
    }
    return lists;
  }

  private usersOfLists(
    edits: readonly Edit[],
    before: ReadonlyMap<string, Declaration>,
    lists: ReadonlyMap<string, readonly string[]>,
  ) {
    const byId = new Map(edits.map((edit) => [idOf(edit), edit]));
    const users = new Map<
      string,
      { entries: string[]; wanted: string[]; canonical(value: string): string }[]
    >();
    for (const [id, { resource, name, values }] of before) {
      const edit = byId.get(id);
      if (edit?.isDeleted) continue;
      for (const [argument, field] of Object.entries(resource.inputs)) {
        if (field.shape !== "list") continue;
        const entries = this.entriesIn(this.writtenAs(resource, name, argument));
        const wanted = (edit?.values[argument] ?? values[argument] ?? []) as string[];
        const canonical = (value: string) => field.canonical([value]);
        for (const list of new Set(entries.filter((entry) => lists.has(entry))))
          users.set(list, [...(users.get(list) ?? []), { entries, wanted, canonical }]);
      }
    }
    return users;
  }

  private changeList(
    name: string,
    { lost, got }: { lost: readonly string[]; got: readonly string[] },
  ): boolean {
    const found = this.lists.get(name);
    const { draft, pair } = found ?? {};
    if (draft === undefined || pair === undefined || !draft.library.isSeq<yaml.Node>(pair.value))
      return false;
    this.changeEntries(draft, pair, pair.value, (text) => lost.includes(text), got);
    return true;
  }

  private changeEntries(
    draft: Draft,
    pair: Entry,
    list: yaml.YAMLSeq<yaml.Node>,
    isRemoved: (text: string) => boolean,
    got: readonly string[],
  ): void {
    const removed = new Set(
      [...list.items.keys()].filter((at) => isRemoved(this.entriesIn(list.items[at])[0] ?? "")),
    );
    const added = got.map((text) => textOf(draft.library, text, list.flow === true));
    if (removed.size + added.length > 0) draft.change(pair.key, list, { removed, added });
  }

  /** What an argument is if a declaration omits it. */
  private defaultOf(
    resource: Resource,
    argument: string,
    lists: ReadonlyMap<string, readonly string[]>,
  ): unknown {
    const field = fieldOf(resource, argument);
    const found = this.defaults.get(`${pluralName(resource)}.${argument}`);
    if (found === undefined) return field.default;
    const entries = this.entriesIn(found.pair.value);
    if (field.shape === "list") return entries.flatMap((entry) => lists.get(entry) ?? [entry]);
    return field.shape === "boolean" ? /^true$/i.test(entries[0] ?? "") : entries[0];
  }

  private editArguments(
    { resource, name, values }: Edit,
    lists: ReadonlyMap<string, readonly string[]>,
  ): void {
    const found = this.declarations.get(`${pluralName(resource)}.${name}`);
    if (found === undefined) throw new Unfit();
    const { draft, pair: declaration } = found;
    const map = declaration.value as Mapping;
    const members = entriesOf(draft, map);
    const removed = new Set<number>();
    const added: string[] = [];
    for (const argument of Object.keys(resource.inputs).filter((each) => values[each] !== undefined)) {
      const value = values[argument];
      const pair = members.get(argument);
      const isDefault = this.isDefault(resource, argument, value, lists);
      if (pair !== undefined && isDefault) removed.add(map.items.indexOf(pair));
      else if (pair !== undefined)
        this.editArgument(draft, pair, value, map.flow === true, fieldOf(resource, argument), lists);
      else if (!isDefault) added.push(`${argument}: ${textOf(draft.library, value, map.flow === true)}`);
    }
    if (removed.size + added.length === 0) return;
    // Beside its domain or name, which almost every declaration has.
    const after = map.items.findIndex(({ key }) => key.value === resource.key);
    if (after < 0) throw new Unfit();
    draft.change(declaration.key, map, { removed, added, after });
  }

  private isDefault(
    resource: Resource,
    argument: string,
    value: unknown,
    lists: ReadonlyMap<string, readonly string[]>,
  ): boolean {
    const preset = this.defaultOf(resource, argument, lists);
    const { canonical } = fieldOf(resource, argument);
    return preset !== undefined && canonical(preset) === canonical(value);
  }

  private editArgument(
    draft: Draft,
    pair: Entry,
    value: unknown,
    isFlow: boolean,
    field: ReturnType<typeof fieldOf>,
    lists: ReadonlyMap<string, readonly string[]>,
  ): void {
    if (field.shape === "list") this.editListArgument(draft, pair, value as string[], field, lists);
    else draft.replace(pair.key, pair.value, textOf(draft.library, value, isFlow, pair.value));
  }

  /** A list's name stays if all that it stands for is still there. */
  private editListArgument(
    draft: Draft,
    pair: Entry,
    value: readonly string[],
    field: { canonical(value: unknown): string },
    lists: ReadonlyMap<string, readonly string[]>,
  ): void {
    const canonical = (text: string) => field.canonical([text]);
    const wanted = new Set(value.map(canonical));
    const valuesOf = (entry: string) => lists.get(entry) ?? [entry];
    const stays = (entry: string) => valuesOf(entry).every((each) => wanted.has(canonical(each)));
    const entries = this.entriesIn(pair.value);
    const kept = entries.filter(stays);
    const covered = new Set(kept.flatMap(valuesOf).map(canonical));
    const got = value.filter((each) => !covered.has(canonical(each)));
    if (draft.library.isSeq<yaml.Node>(pair.value))
      this.changeEntries(draft, pair, pair.value, (text) => !stays(text), got);
    else if (kept.length < entries.length || got.length > 0)
      draft.replace(pair.key, pair.value, textOf(draft.library, [...kept, ...got], false));
  }
}
