import { type Fields, pluralName, type Resource, UNKNOWN, type Values } from "../../provider/schema/resource";
import { adoptField, validate, validateResource } from "../../provider/schema/validate";
import { type Member, type Members, membersOf, type Node, type Report, toPlain } from "./document";
import { type Located, located } from "./located";
import { type FileOptions, optionFields } from "./options";

/** A key of the stack's config, with or without its namespace. */
export const CONFIG_KEY = /^([\w.-]+:)?[\w.-]+$/;

/** One resource that a file declares. */
export interface Declaration {
  readonly resource: Resource;
  readonly name: string;
  /** Its path in the file, such as `websites.shop`. */
  readonly path: string;
  /** Arguments as a program would write them. */
  readonly values: Values;
  readonly options: FileOptions;
}

/** What declarations of a resource can name, and where their mistakes go. */
interface Scope {
  readonly report: Report;
  /** Reports what is wrong unless the record has it already, which only the provider's `check` knows. */
  readonly doubt: Report;
  /** Whether every file could be read: else a name in a list argument may be one of theirs. */
  readonly isWhole: boolean;
  /** The names of all files' lists, and what replaces them by their values. */
  readonly lists: readonly string[];
  readonly expand: (argument: Node) => Node;
  /** The arguments and options of each declaration of this resource that does not have its own, and their path. */
  readonly defaults: Members;
  readonly defaultsPath: string;
  /** The value of a key of the stack's config. */
  readonly secretOf: (key: string) => unknown;
}

/** Marks what comes from the defaults, so that a mistake in them is reported once. */
function markDefaults(path: string, members: Members): Members {
  return new Map([...members].map(([name, member]) => [name, { ...member, from: path }]));
}

/** The values of a mapping as a program would write them. Secrets are validated elsewhere. */
function valuesIn(members: Members, fields: Fields): Record<string, unknown> {
  return Object.fromEntries(
    [...members].map(([name, { node }]) => [
      name,
      fields[name]?.secret ? UNKNOWN : toPlain(node, fields[name]?.shape),
    ]),
  );
}

/**
 * Returns what reads declarations of one resource. Validation says what is wrong with one, and the file's text says where.
 *
 * @param declared the resource
 */
export function declarationReader(declared: Resource, scope: Scope) {
  const { report, doubt, lists, isWhole, expand, secretOf, defaults, defaultsPath } = scope;
  const inputs = Object.entries(declared.inputs).map(([name, field]) =>
    field.shape === "list"
      ? [name, { ...field, expected: `${field.expected}, or the name of one under "lists"`, words: lists }]
      : [name, field],
  );
  // Options are validated by themselves, and here for their name alone.
  const resource = { ...declared, inputs: { ...Object.fromEntries(inputs), options: adoptField } };
  const fields: Fields = { ...resource.inputs, adopt: adoptField };
  const optionsOf = optionFields(declared);

  /** Reports a mistake, unless what can't be read may explain it, or what only `check` knows to be one. */
  function reportOrDoubt({ at, text, lenient, argument }: Located, args: Members): void {
    if (!isWhole && fields[argument]?.shape === "list") return;
    if (!lenient) report(at, text);
    // One that is missing says nothing: an imported record may have it.
    else if (args.has(argument)) doubt(at, text);
  }

  /** The arguments, with the values of the lists that they name. */
  function argumentsIn(name: string, path: string, node: Node): Members {
    const isArgument = Object.hasOwn(fields, name);
    const hint = isArgument ? "; if it is an argument, indent it further than the name of its resource" : "";
    return withLists(membersOf(node, path, `{ ${declared.key}: … }${hint}`, report));
  }

  function withLists(members: Members): Members {
    return new Map(
      [...members].map(([name, { at, node }]) => [
        name,
        { at, node: fields[name]?.shape === "list" ? expand(node) : node },
      ]),
    );
  }

  function optionsIn(members: Members, path: string): Members {
    return membersOf(members.get("options")?.node, `${path}: options`, "{ protect: false }", report);
  }

  /** The secret of the stack's config that a value names. No message repeats the name: the secret itself may be there. */
  function secretIn({ at, members }: Node, path: string, argument: string): unknown {
    const { at: keyAt, text } = (members?.size === 1 && members.get("config")?.node) || { at };
    const key = text ?? "";
    const isKey = CONFIG_KEY.test(key);
    const value = isKey ? secretOf(key) : undefined;
    if (!isKey)
      report(
        at,
        `${path}: ${argument} is a secret and must not be in the file: write "${argument}: { config: NAME }", and run "pulumi config set --secret NAME"`,
      );
    else if (value === undefined)
      report(
        keyAt,
        `${path}: ${argument}: the stack's config has no key of this name: run "pulumi config set --secret NAME"`,
      );
    return value;
  }

  const defaultArgs = markDefaults(defaultsPath, withLists(defaults));
  const defaultOptions = markDefaults(`${defaultsPath}: options`, optionsIn(defaults, defaultsPath));

  return (name: string, { at, node }: Member): Declaration => {
    const path = `${pluralName(declared)}.${name}`;
    const members = argumentsIn(name, path, node);
    const args = new Map([...defaultArgs, ...members]);
    const options = new Map([...defaultOptions, ...optionsIn(members, path)]);
    const { options: _, ...values } = valuesIn(args, fields);
    const optionValues = valuesIn(options, optionsOf);
    // If there is another value instead of the arguments, that is the only mistake.
    const isRead = node.members !== undefined || node.text === null;
    const mistakes = isRead ? validateResource(resource, {}, values).mistakes : [];
    const optionMistakes = validate("options", optionsOf, optionValues, {}, "option").mistakes;
    for (const mistake of [
      ...located(mistakes, args, fields, path, at),
      ...located(optionMistakes, options, optionsOf, `${path}: options`, at),
    ])
      reportOrDoubt(mistake, args);
    for (const argument of Object.keys(values).filter((name) => fields[name]?.secret))
      values[argument] = secretIn(args.get(argument)?.node ?? node, path, argument);
    return { resource: declared, name, path, values, options: optionValues };
  };
}
