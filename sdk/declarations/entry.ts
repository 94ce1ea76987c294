import { pluralName, type Resource } from "../../provider/schema/resource";
import { type Node, type Report, replaceMember } from "./document";
import { CONFIG_KEY, type FileOptions, isKind } from "./schema";

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
  const inputs = Object.entries(resource.inputs);
  const lists = inputs.filter(([, field]) => isKind("array", field));
  return [...(section?.members ?? [])].map(([name, member]) => {
    // Without a value, the only mistake is that arguments are missing.
    const given = (node: Node) => (node.value === null ? { ...node, value: {}, members: new Map() } : node);
    if (section) replaceMember(section, name, given);
    for (const [argument] of lists) replaceMember(member.node, argument, expand);
    const { at, node } = member;
    const path = `${pluralName(resource)}.${name}`;
    const { options, ...values } = Object(node.members && node.value);
    for (const [argument, { secret }] of inputs) {
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
