import { pluralName, type Resource } from "../../provider/schema/resource";
import { ruleViolations } from "../../provider/schema/validate";
import type { Member, Node, Report } from "./document";
import { exampleKey, type FileOptions } from "./fields";
import { CONFIG_KEY } from "./schema";
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
  /** Arguments as a program would write them, without secrets. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Secrets, by their keys in the stack's config. */
  readonly secrets: Readonly<Record<string, string>>;
  readonly options: FileOptions;
}

/**
 * A resource as a file declares it, with names of lists replaced by their values.
 *
 * @param lists its list arguments
 * @param isConfigured whether the stack's config has a key
 */
export function entryOf(
  resource: Resource,
  name: string,
  { at, node }: Member,
  lists: ReadonlySet<string>,
  expand: (argument: Node) => Node,
  isConfigured: (key: string) => boolean,
  report: Report,
): YamlEntry {
  const path = `${pluralName(resource)}.${name}`;
  const values: Record<string, unknown> = {};
  const secrets: Record<string, string> = {};
  for (const [argument, member] of node.members ?? []) {
    const field = resource.inputs[argument];
    if (argument === "options") continue;
    if (lists.has(argument)) {
      member.node = expand(member.node);
      Object.assign(node.value ?? {}, { [argument]: member.node.value });
    }
    const config = field?.secret ? member.node.members?.get("config")?.node : undefined;
    if (!field?.secret) values[argument] = member.node.value;
    else if (config !== undefined && CONFIG_KEY.test(String(config.value))) {
      const key = String(config.value);
      secrets[argument] = key;
      if (isConfigured(key)) continue;
      report(
        config.at,
        `${path}: ${argument}: the stack's config has no ${key}; run "pulumi config set --secret ${key}"`,
      );
    }
  }
  // The schema has its say before it is used for more than an order.
  const options = (node.members?.get("options")?.node.value ?? {}) as FileOptions;
  return { resource, name, path, at, node, values, secrets, options };
}

/** A violation of the resource's rule for new records, at the argument that requires it. */
export function ruleMistakes({ resource, path, at, node, values }: YamlEntry): DeferredMistake[] {
  const names = [...(node.members?.keys() ?? [])];
  const isKnown = (name: string) =>
    Object.hasOwn(resource.inputs, name) || ["adopt", "options"].includes(name);
  // A mistyped name may be the argument that the rule requires.
  if (values.adopt === true || !names.every(isKnown)) return [];
  const given = Object.fromEntries(names.map((name) => [name, values[name] ?? "given"]));
  return ruleViolations(resource, given).map(({ argument, breaks, text }) => {
    const without = (name: string) => ruleViolations(resource, { ...given, [name]: undefined });
    const cause = Object.keys(given).find((name) => without(name).length === 0);
    const key = exampleKey(path, argument);
    const remedy = resource.inputs[argument]?.secret
      ? `: write "${argument}: { config: ${key} }", and run "pulumi config set --secret ${key}"`
      : "";
    const place = node.members?.get(cause ?? "")?.node.at ?? at;
    return { at: place, text: `${path}: ${text}${remedy}`, path, argument, breaks };
  });
}
