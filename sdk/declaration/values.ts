import { type Checkable, validate } from "../../provider/schema/check";
import type { Field } from "../../provider/schema/field";
import type { Member, Node, Sequence } from "./document";
import { LIST_NAME, type Lists, noLists } from "./lists";
import type { Mistake, Mistakes } from "./mistakes";
import { near } from "./near";

/** What may be written in one place of a file, by its names. */
export type Checkables = Readonly<
  Record<string, Checkable & Pick<Field<unknown>, "open"> & { readonly names?: readonly string[] }>
>;

/** Values as a program would write them, and secrets by their keys in the stack's config. */
export interface Read {
  readonly values: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** Values that are wrong, unless the record has them already, which is not known here. */
  readonly doubts: readonly Doubt[];
}

/** A mistake, unless the record has the value already; `sentence` is what the provider's `check` says of it. */
export interface Doubt extends Mistake {
  readonly sentence: string;
}

/** A key of the stack's config, with or without its namespace. */
export const CONFIG_KEY = /^([\w.-]+:)?[\w.-]+$/;

/** Reads values by the fields that they are of. */
export class Values {
  /**
   * @param lists those whose names may stand for their values
   * @param isConfigured whether the stack's config has a key
   */
  constructor(
    private readonly mistakes: Mistakes,
    private readonly lists: Lists,
    private readonly isConfigured: (key: string) => boolean,
  ) {}

  /**
   * @param owner whose values they are, for messages
   * @param at its place
   * @param also names that may stand there too, and are read elsewhere
   */
  read(
    owner: string,
    at: number,
    fields: Checkables,
    members: Iterable<Member>,
    also: readonly string[] = [],
  ): Read {
    const values: Record<string, unknown> = {};
    const secrets: Record<string, string> = {};
    const doubts: Doubt[] = [];
    const given = new Set<string>();
    for (const { name, at: place, node } of members) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      given.add(name);
      if (field === undefined)
        this.mistakes.add(
          place,
          `${owner}: there is no ${JSON.stringify(name)}${hint(name, [...Object.keys(fields), ...also])}`,
        );
      else if (field.secret) Object.assign(secrets, this.secret(owner, name, node));
      else values[name] = this.value(owner, name, field, node, doubts);
    }
    for (const [name, { required, allowed }] of Object.entries(fields))
      if (required && !given.has(name))
        this.mistakes.add(at, `${owner}: ${name} is missing: it must be ${allowed}`);
    return { values, secrets, doubts };
  }

  /** The same, where no list's name stands for its values. */
  plainly(...what: Parameters<Values["read"]>): Read {
    return new Values(this.mistakes, noLists(this.mistakes), this.isConfigured).read(...what);
  }

  private value(
    owner: string,
    name: string,
    field: Checkables[string],
    node: Node,
    doubts: Doubt[],
  ): unknown {
    if ("members" in node)
      return this.refuse(node, owner, `${name} must be ${field.allowed}, not names with values`);
    if ("entries" in node) return this.list(owner, name, field, node);
    if (node.value === null)
      return this.refuse(
        node,
        owner,
        `${name} has no value: it must be ${field.allowed}; or take the line out`,
      );
    const wrong = judge(name, field, node.value);
    const text = `${owner}: ${wrong}${truth(field, node.value)}`;
    if (wrong !== undefined && field.open && typeof node.value === "string")
      doubts.push({ at: node.at, text, sentence: wrong });
    else if (wrong !== undefined) this.mistakes.add(node.at, text);
    return node.value;
  }

  /** Where something is wrong, each entry is judged by itself, so that the one that is wrong can be pointed at. */
  private list(owner: string, name: string, field: Checkables[string], node: Sequence): unknown {
    if (judge(name, field, []) !== undefined)
      return this.refuse(node, owner, `${name} must be ${field.allowed}, not a list`);
    const entries = this.lists.expand(node, `${owner}: ${name}`);
    const values = entries.map(({ value }) => value);
    if (judge(name, field, values) === undefined) return values;
    for (const { at, value, list } of entries) {
      const wrong = judge(name, field, [value]);
      const whose = list === undefined ? owner : `lists.${list}`;
      if (wrong !== undefined) this.mistakes.add(at, `${whose}: ${wrong}${this.meant(field, value)}`);
    }
    return values;
  }

  private meant({ names = [] }: Checkables[string], value: unknown): string {
    if (typeof value !== "string") return "";
    const { names: lists } = this.lists;
    const unknown = lists.length > 0 && LIST_NAME.test(value) ? "; nor is there a list of that name" : "";
    return near(value, names) || near(value, lists, "the list ") || unknown;
  }

  /** A secret is never in the file, and no message shows what stands in its place. */
  private secret(owner: string, name: string, node: Node): Record<string, string> {
    const example = `${name}: { config: ${exampleKey(owner, name)} }`;
    const only = "members" in node && node.members.size === 1 ? node.members.get("config")?.node : undefined;
    const key =
      only !== undefined && "value" in only && typeof only.value === "string" ? only.value : undefined;
    if ("value" in node && node.value !== null)
      this.mistakes.add(
        node.at,
        `${owner}: ${name} is a secret, and never stands in a file: write "${example}", and run "pulumi config set --secret ${exampleKey(owner, name)}"`,
      );
    else if (key === undefined || !CONFIG_KEY.test(key))
      this.mistakes.add(
        node.at,
        `${owner}: ${name} must be the name of a secret in the stack's config: "${example}"`,
      );
    else if (!this.isConfigured(key))
      this.mistakes.add(
        only?.at ?? node.at,
        `${owner}: ${name}: the stack's config has no ${key}; run "pulumi config set --secret ${key}"`,
      );
    else return { [name]: key };
    return {};
  }

  private refuse({ at }: Node, owner: string, sentence: string): undefined {
    this.mistakes.add(at, `${owner}: ${sentence}`);
  }
}

/** The sentence about a value that a field does not take; of a secret's, without the value. */
function judge(name: string, field: Checkable, value: unknown): string | undefined {
  return validate("", { [name]: field }, { [name]: value }).failures[0];
}

/** The words that YAML 1.1 took for true and false, where one of these two is wanted. */
function truth(field: Checkable, value: unknown): string {
  const meant = /^(y|yes|on)$/i.test(String(value))
    ? true
    : /^(n|no|off)$/i.test(String(value))
      ? false
      : undefined;
  return meant !== undefined && judge("it", field, meant) === undefined
    ? `; in YAML 1.2 that is text: write ${meant}`
    : "";
}

function hint(name: string, names: readonly string[]): string {
  return near(name, names) || `; it has ${names.join(", ")}`;
}

/** `websites.shop`, `password`: `shopPassword`. */
function exampleKey(owner: string, field: string): string {
  const name = owner.slice(owner.indexOf(".") + 1);
  return /^[\w-]+$/.test(name) ? `${name}${field[0]?.toUpperCase()}${field.slice(1)}` : field;
}
