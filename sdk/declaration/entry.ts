import type { Resource } from "../../provider/schema/resource";
import { ruleViolations } from "../../provider/schema/validate";
import { type Member, membersOf, type Node } from "./document";
import type { Mistakes } from "./mistakes";
import { type FileOptions, optionsOf, REFUSED, typed } from "./options";
import { exampleKey } from "./secret-reference";
import { type Checkables, type Doubt, hintOf, type Read, type Values } from "./values";

/** One resource that a file declares. */
export interface Declaration extends Read {
  readonly resource: Resource;
  readonly name: string;
  /** How the file itself names it, such as `websites.shop`. */
  readonly path: string;
  /** Its place in the file. */
  readonly at: number;
  readonly options: FileOptions;
}

/** What stands in a file beside a resource's options. */
export function argumentsOf({ inputs }: Resource): Checkables {
  return {
    ...inputs,
    adopt: {
      required: false,
      expected: "true or false",
      description:
        "Take over the one record that exists with this key instead of failing. A preview names it, and what will change. Default `false`.",
      validator: (z) => z.boolean(),
    },
  };
}

/** Reads the resources of a file, one at a time. */
export class Entries {
  private readonly known = new Map<Resource, Checkables>();

  /**
   * @param values for arguments, where a shared list's name stands for its values
   * @param paths of all resources in the file
   */
  constructor(
    private readonly mistakes: Mistakes,
    private readonly values: Values,
    private readonly paths: readonly string[],
  ) {}

  read(path: string, resource: Resource, { at, name, node }: Member): Declaration {
    const fields = argumentsOf(resource);
    const isBroken = "value" in node && (node.broken || this.isUnfinished(path, node, fields));
    const { options, ...args } = Object.fromEntries(
      isBroken ? [] : membersOf(node, path, this.mistakes, example(resource)),
    );
    const isMapping = "members" in node || ("value" in node && node.value === null);
    // Of a resource whose arguments can't be read, none is missing.
    const read =
      isBroken || !isMapping
        ? { values: {}, secrets: {}, places: {}, doubts: [] }
        : this.values.read(path, at, fields, Object.values(args), (each) => this.meantAs(each, resource));
    const declared = { resource, name, path, at, ...read, options: this.options(path, resource, options) };
    return { ...declared, doubts: [...read.doubts, ...ruleDoubts(declared)] };
  }

  /** `domain:shop.example.com`, `domain shop.example.com` */
  private isUnfinished(path: string, node: Node, fields: Checkables): boolean {
    if (!("value" in node) || typeof node.value !== "string") return false;
    const [, name = "", colon] = /^([\w-]+)\s*([:=]?)/.exec(node.value) ?? [];
    if (!Object.hasOwn(fields, name)) return false;
    this.mistakes.add(
      node.at,
      colon === ":"
        ? `write a space after the colon of ${name}`
        : `${path}: write a colon and a space after ${name}`,
    );
    return true;
  }

  private meantAs(name: string, resource: Resource): string {
    if (Object.hasOwn(this.possible(resource), name) || REFUSED.has(name))
      return '; it is a resource option, and stands under "options"';
    return hintOf(name, [...Object.keys(argumentsOf(resource)), "options"]);
  }

  private options(path: string, resource: Resource, member: Member | undefined): FileOptions {
    if (member === undefined) return {};
    const owner = `${path}: options`;
    const members = [...membersOf(member.node, owner, this.mistakes, "{ protect: false }").values()];
    for (const { name, at } of members)
      if (REFUSED.has(name)) this.mistakes.add(at, `${owner}: ${name} ${REFUSED.get(name)}`);
    const known = members.filter(({ name }) => !REFUSED.has(name));
    const { values } = this.values.plainly(owner, member.at, this.possible(resource), known, (each) =>
      Object.hasOwn(argumentsOf(resource), each)
        ? "; it is an argument, and stands beside options"
        : undefined,
    );
    return typed(values);
  }

  /** The options that there are, made once for a type: they know every name in the file. */
  private possible(resource: Resource): Checkables {
    const options = this.known.get(resource) ?? optionsOf(resource, this.paths);
    this.known.set(resource, options);
    return options;
  }
}

/** A resource of this type as short as a file can write it. */
export function example({ key }: Resource): string {
  return `{ ${key}: … }`;
}

/** What the resource's own rule for new records asks for; it stands where the rule is called for. */
function ruleDoubts({ resource, path, at, values, places }: Omit<Declaration, "doubts">): Doubt[] {
  if (values.adopt === true) return [];
  const given = Object.fromEntries(Object.keys(places).map((name) => [name, values[name] ?? "given"]));
  return ruleViolations(resource, given).map(({ argument, breaks, text }) => {
    const without = (name: string) => ruleViolations(resource, { ...given, [name]: undefined });
    const cause = Object.keys(given).find((name) => without(name).length === 0);
    const key = exampleKey(path, argument);
    const remedy = resource.inputs[argument]?.secret
      ? `: write "${argument}: { config: ${key} }", and run "pulumi config set --secret ${key}"`
      : "";
    const place = cause === undefined ? at : (places[cause] ?? at);
    return { at: place, text: `${path}: ${text}${remedy}`, argument, breaks };
  });
}
