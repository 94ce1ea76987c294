import type { Resource } from "../../provider/schema/resource";
import { ruleViolations } from "../../provider/schema/validate";
import type { Diagnostics } from "./diagnostics";
import { type Member, membersOf, type Node } from "./node";
import { type FileOptions, optionsOf, parseOptions, UNSUPPORTED_OPTIONS } from "./options";
import { exampleKey } from "./secret-reference";
import { type DeferredIssue, hintForUnknown, type Read, type Validatables, type Values } from "./values";

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
export function argumentsOf({ inputs }: Resource): Validatables {
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
  private readonly known = new Map<Resource, Validatables>();

  /**
   * @param values for arguments, where a shared list's name stands for its values
   * @param paths of all resources in the file
   */
  constructor(
    private readonly diagnostics: Diagnostics,
    private readonly values: Values,
    private readonly paths: readonly string[],
  ) {}

  read(path: string, resource: Resource, { at, name, node }: Member): Declaration {
    const fields = argumentsOf(resource);
    const isBroken = "value" in node && (node.reported || this.isUnfinished(path, node, fields));
    const { options, ...args } = Object.fromEntries(
      isBroken ? [] : membersOf(node, path, this.diagnostics, example(resource)),
    );
    const isMapping = "members" in node || ("value" in node && node.value === null);
    // Of a resource whose arguments can't be read, none is missing.
    const read =
      isBroken || !isMapping
        ? { values: {}, secrets: {}, places: {}, deferred: [] }
        : this.values.read(path, at, fields, Object.values(args), (each) =>
            this.hintForUnknown(each, resource),
          );
    const declared = { resource, name, path, at, ...read, options: this.options(path, resource, options) };
    return { ...declared, deferred: [...read.deferred, ...deferredRuleIssues(declared)] };
  }

  /** `domain:shop.example.com`, `domain shop.example.com` */
  private isUnfinished(path: string, node: Node, fields: Validatables): boolean {
    if (!("value" in node) || typeof node.value !== "string") return false;
    const [, name = "", colon] = /^([\w-]+)\s*([:=]?)/.exec(node.value) ?? [];
    if (!Object.hasOwn(fields, name)) return false;
    this.diagnostics.add(
      node.at,
      colon === ":"
        ? `write a space after the colon of ${name}`
        : `${path}: write a colon and a space after ${name}`,
    );
    return true;
  }

  private hintForUnknown(name: string, resource: Resource): string {
    if (Object.hasOwn(this.optionFields(resource), name) || UNSUPPORTED_OPTIONS.has(name))
      return '; it is a resource option, and stands under "options"';
    return hintForUnknown(name, [...Object.keys(argumentsOf(resource)), "options"]);
  }

  private options(path: string, resource: Resource, member: Member | undefined): FileOptions {
    if (member === undefined) return {};
    const owner = `${path}: options`;
    const members = [...membersOf(member.node, owner, this.diagnostics, "{ protect: false }").values()];
    for (const { name, at } of members)
      if (UNSUPPORTED_OPTIONS.has(name))
        this.diagnostics.add(at, `${owner}: ${name} ${UNSUPPORTED_OPTIONS.get(name)}`);
    const known = members.filter(({ name }) => !UNSUPPORTED_OPTIONS.has(name));
    const { values } = this.values.readWithoutLists(
      owner,
      member.at,
      this.optionFields(resource),
      known,
      (each) =>
        Object.hasOwn(argumentsOf(resource), each)
          ? "; it is an argument, and stands beside options"
          : undefined,
    );
    return parseOptions(values);
  }

  /** The options that there are, made once for a type: they know every name in the file. */
  private optionFields(resource: Resource): Validatables {
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
function deferredRuleIssues({
  resource,
  path,
  at,
  values,
  places,
}: Omit<Declaration, "deferred">): DeferredIssue[] {
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
