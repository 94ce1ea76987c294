import { pluralName, type Resource } from "../../provider/schema/resource";
import { ruleViolations } from "../../provider/schema/validate";
import { type Node, type Report, replaceMember } from "./document";
import { argumentsOf, CONFIG_KEY, type FileOptions, namesOf, secretAdvice } from "./schema";
import type { DeferredMistake } from "./sentences";

/** One resource that a file declares. */
export interface YamlEntry {
  readonly resource: Resource;
  readonly name: string;
  /** Its path in the file, such as `websites.shop`. */
  readonly path: string;
  /** Its place in the file. */
  readonly at: number;
  readonly node: Node;
  /** Arguments as a program would write them. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly options: FileOptions;
}

/**
 * The resources of one type that a file declares.
 *
 * @param expand replaces names of lists by their values
 * @param secretOf the value of a key of the stack's config
 */
export function entriesOf(
  resource: Resource,
  section: Node | undefined,
  expand: (argument: Node) => Node,
  secretOf: (key: string) => unknown,
  report: Report,
): YamlEntry[] {
  const lists = namesOf("array", resource.inputs);
  return [...(section?.members ?? [])].map(([name, member]) => {
    // Without a value, the only mistake is that arguments are missing.
    if (member.node.value === null && section)
      replaceMember(section, name, { ...member.node, value: {}, members: new Map() });
    for (const [argument, { node }] of member.node.members ?? [])
      if (lists.has(argument)) replaceMember(member.node, argument, expand(node));
    const { at, node } = member;
    const path = `${pluralName(resource)}.${name}`;
    const { options, ...values } = Object(node.members && node.value);
    for (const [argument, { secret }] of Object.entries(resource.inputs)) {
      const key = secret ? node.members?.get(argument)?.node.members?.get("config")?.node : undefined;
      if (typeof key?.value !== "string" || !CONFIG_KEY.test(key.value)) continue;
      const value = secretOf(key.value);
      const advice = `the stack's config has no ${key.value}; run "pulumi config set --secret ${key.value}"`;
      if (value === undefined) report(key.at, `${path}: ${argument}: ${advice}`);
      else values[argument] = value;
    }
    // The schema reports wrong options before anything but the order uses them.
    return { resource, name, path, at, node, values, options: options ?? {} };
  });
}

/** A violation of the resource's rule for new records, at the argument that requires it. */
export function ruleMistakes({ resource, path, at, node, values }: YamlEntry): DeferredMistake[] {
  const names = [...(node.members?.keys() ?? [])];
  const known = { ...argumentsOf(resource), options: true };
  // A mistyped name may be the argument that the rule requires.
  if (values.adopt === true || !names.every((each) => Object.hasOwn(known, each))) return [];
  return ruleViolations(resource, values).map(({ argument, breaks, text }) => {
    const without = (name: string) => ruleViolations(resource, { ...values, [name]: undefined });
    const cause = names.find((name) => without(name).length === 0) ?? "";
    const remedy = resource.inputs[argument]?.secret ? `: ${secretAdvice(path, argument)}` : "";
    const place = node.members?.get(cause)?.node.at ?? at;
    return { at: place, text: `${path}: ${text}${remedy}`, path, argument, breaks };
  });
}
