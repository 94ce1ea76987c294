import type { Resource } from "../../provider/schema/resource";
import { type Member, membersOf } from "./document";
import type { Mistakes } from "./mistakes";
import { type FileOptions, optionsOf, REFUSED, typed } from "./options";
import type { Checkables, Read, Values } from "./values";

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
  return { ...inputs, adopt: { required: false, allowed: "true or false", accepts: (z) => z.boolean() } };
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
    const { options, ...args } = Object.fromEntries(membersOf(node, path, this.mistakes));
    const read = this.values.read(path, at, argumentsOf(resource), Object.values(args), ["options"]);
    return { resource, name, path, at, ...read, options: this.options(path, resource, options) };
  }

  private options(path: string, resource: Resource, member: Member | undefined): FileOptions {
    if (member === undefined) return {};
    const owner = `${path}: options`;
    const members = [...membersOf(member.node, owner, this.mistakes).values()];
    for (const { name, at } of members)
      if (REFUSED.has(name)) this.mistakes.add(at, `${owner}: ${name} ${REFUSED.get(name)}`);
    const known = members.filter(({ name }) => !REFUSED.has(name));
    const { values } = this.values.plainly(owner, member.at, this.possible(resource), known);
    return typed(values);
  }

  /** The options that there are, made once for a type: they know every name in the file. */
  private possible(resource: Resource): Checkables {
    const options = this.known.get(resource) ?? optionsOf(resource, this.paths);
    this.known.set(resource, options);
    return options;
  }
}
