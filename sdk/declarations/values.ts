import type { Field } from "../../provider/schema/field";
import type { Validatable, Violation } from "../../provider/schema/validate";
import { closest, suggest } from "../../provider/suggest";
import { entriesIn, invalidReason, suggestCorrection } from "./correction";
import type { Diagnostic, Diagnostics } from "./diagnostics";
import { LIST_NAME, type Lists, noLists } from "./lists";
import type { Member, Node, Scalar, Sequence } from "./node";
import { referenceIn } from "./secret-reference";

/** What may be written in one place of a file, by its names. */
export type Validatables = Readonly<
  Record<
    string,
    Validatable &
      Pick<Field<unknown>, "lenient"> &
      Partial<Pick<Field<unknown>, "encode">> & {
        readonly names?: readonly string[];
        /** What it is for, in one sentence. */
        readonly description?: string;
      }
  >
>;
type ValueField = Validatables[string];

/** Values as a program would write them, and secrets by their keys in the stack's config. */
export interface Read {
  readonly values: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** Where each value stands. */
  readonly places: Readonly<Record<string, number>>;
  /** Values that are wrong, unless the record has them already, which is not known here. */
  readonly deferred: readonly DeferredIssue[];
}

/** A mistake, unless the record has the value already: then the provider's `check` does not refuse it. */
export interface DeferredIssue extends Diagnostic, Omit<Violation, "text"> {}

/** Reads values by the fields that they are of. */
export class Values {
  /**
   * @param lists those whose names may stand for their values
   * @param isConfigured whether the stack's config has a key
   */
  constructor(
    private readonly diagnostics: Diagnostics,
    private readonly lists: Lists,
    private readonly isConfigured: (key: string) => boolean,
  ) {}

  /**
   * @param owner whose values they are, for messages
   * @param at its place
   * @param elsewhere what a name means that is none of the fields', where that can be told
   */
  read(
    owner: string,
    at: number,
    fields: Validatables,
    members: Iterable<Member>,
    elsewhere: (name: string) => string | undefined = () => undefined,
  ): Read {
    const values: Record<string, unknown> = {};
    const secrets: Record<string, string> = {};
    const places: Record<string, number> = {};
    const deferred: DeferredIssue[] = [];
    const given = new Set<string>();
    for (const { name, at: place, node } of members) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      given.add(name);
      places[name] = node.at;
      if ("value" in node && node.reported) continue;
      if (field === undefined) {
        const hint = elsewhere(name) ?? hintForUnknown(name, Object.keys(fields));
        this.diagnostics.add(place, `${owner}: there is no ${JSON.stringify(name)}${hint}`);
        // A mistyped name is not missing as well.
        const typed = closest(name, Object.keys(fields));
        if (typed !== undefined) given.add(typed);
      } else if (field.secret) Object.assign(secrets, this.secret(owner, name, node));
      else values[name] = this.value(owner, name, field, node, deferred);
    }
    for (const [name, { required, expected }] of Object.entries(fields))
      if (required && !given.has(name))
        this.diagnostics.add(at, `${owner}: ${name} is missing: it must be ${expected}`);
    return { values, secrets, places, deferred };
  }

  /** The same, where no list's name stands for its values. */
  readWithoutLists(...what: Parameters<Values["read"]>): Read {
    return new Values(this.diagnostics, noLists(this.diagnostics), this.isConfigured).read(...what);
  }

  private value(
    owner: string,
    name: string,
    field: ValueField,
    node: Node,
    deferred: DeferredIssue[],
  ): unknown {
    const say = (sentence: string) => void this.diagnostics.add(node.at, `${owner}: ${sentence}`);
    if ("members" in node) return say(`${name} must be ${field.expected}, not names with values`);
    const isList = invalidReason(name, field, []) === undefined;
    if ("entries" in node)
      return isList
        ? this.list(owner, name, field, node)
        : say(`${name} must be ${field.expected}, not a list`);
    if (node.value === null)
      return say(`${name} has no value: it must be ${field.expected}; or take the line out`);
    if (isList) return this.listFromText(owner, name, field, node);
    const wrong = invalidReason(name, field, node.value);
    const text = `${owner}: ${wrong}${suggestCorrection(field, String(node.value), node.quoted)}`;
    if (wrong === undefined && node.danglingAlias)
      say(`${name}: a text that begins with * needs quotes: write ${JSON.stringify(node.value)}`);
    else if (wrong !== undefined && field.lenient && typeof node.value === "string" && !node.danglingAlias)
      deferred.push({ at: node.at, text, argument: name, breaks: "argument" });
    else if (wrong !== undefined) this.diagnostics.add(node.at, text);
    return node.value;
  }

  /** A list's name may stand alone; any other text was meant as an entry, or as several. */
  private listFromText(owner: string, name: string, field: ValueField, node: Scalar): unknown {
    const text = String(node.value);
    if (this.lists.names.includes(text))
      return this.list(owner, name, field, { at: node.at, entries: [node] });
    const wrong = invalidReason(name, field, node.value) ?? "";
    const entries = entriesIn(text);
    const isFine = entries.length > 0 && this.isListOf(name, field, entries);
    const dashes = /(^|\s)-\S/.test(text) ? "; write a space after each dash" : "";
    const hint = dashes || (isFine ? `; write [${entries.join(", ")}]` : this.suggestEntry(field, text));
    this.diagnostics.add(node.at, `${owner}: ${wrong}${hint}`);
    return undefined;
  }

  private isListOf(name: string, field: ValueField, entries: readonly string[]): boolean {
    const { names } = this.lists;
    return (
      invalidReason(
        name,
        field,
        entries.filter((each) => !names.includes(each)),
      ) === undefined
    );
  }

  /** Where something is wrong, each entry is judged by itself, so that the one that is wrong can be pointed at. */
  private list(owner: string, name: string, field: ValueField, node: Sequence): unknown {
    const entries = this.lists.expand(node, `${owner}: ${name}`);
    const values = entries.map(({ value }) => value);
    for (const { at, value, danglingAlias } of entries)
      if (danglingAlias)
        this.diagnostics.add(
          at,
          `${owner}: ${name}: a text that begins with * needs quotes: write ${JSON.stringify(value)}`,
        );
    if (invalidReason(name, field, values) === undefined) return values;
    for (const { at, value, list, danglingAlias } of entries) {
      const wrong = danglingAlias ? undefined : invalidReason(name, field, [value]);
      const whose = list === undefined ? owner : `lists.${list}`;
      if (wrong !== undefined)
        this.diagnostics.add(at, `${whose}: ${wrong}${this.suggestEntry(field, value)}`);
    }
    return values;
  }

  private suggestEntry(field: ValueField, value: unknown): string {
    if (typeof value !== "string") return "";
    const { names: lists } = this.lists;
    const several = entriesIn(value);
    if (several.length > 1 && this.isListOf("it", field, several)) return "; write a comma between them";
    const unknown = lists.length > 0 && LIST_NAME.test(value) ? "; nor is there a list of that name" : "";
    return suggest(value, field.names ?? []) || suggest(value, lists, "the list ") || unknown;
  }

  private secret(owner: string, name: string, node: Node): Record<string, string> {
    const reference = referenceIn(node, owner, name, this.isConfigured);
    if (reference !== undefined && "key" in reference) return { [name]: reference.key };
    if (reference !== undefined) this.diagnostics.add(reference.at, reference.text);
    return {};
  }
}

/** Which of these names was meant by one that there is not, or what there is. */
export function hintForUnknown(name: string, names: readonly string[]): string {
  return suggest(name, names) || `; it has ${names.join(", ")}`;
}
