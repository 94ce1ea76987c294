import { lines } from "../../provider/schema/kinds";
import { validate } from "../../provider/schema/validate";
import { type Members, type Node, type Report, toPlain } from "./document";
import { located } from "./located";

/** The section of shared lists. */
export const LISTS = "lists";
/** The form of a list's name. No address has this form, so a mistyped name among addresses is an error. */
export const LIST_NAME = /^[A-Za-z_][\w-]*$/;
/** The same rule for messages. */
export const LIST_NAME_RULE = 'a list\'s name is letters, digits, "-" and "_", and no digit comes first';
/** A list that arguments can name. */
export const sharedList = lines({
  expected: "a list of values",
  validator: (z) => z.string(),
  canonical: String,
});

/**
 * Checks the shared lists, which hold values only.
 *
 * @returns replaces names of lists by their values, in a list argument and in place of one. Each value appears once; any
 *   other text stays as it is
 */
export function listExpander(lists: Members, report: Report): (argument: Node) => Node {
  function namedBy({ text }: Node): Node | undefined {
    return lists.get(text ?? "")?.node;
  }

  function expanded(entry: Node): readonly Node[] {
    const list = namedBy(entry);
    if (list === undefined) return [entry];
    const values = (list.entries ?? []).filter((value) => !namedBy(value));
    return values.map((value) => ({ ...value, list: entry.text ?? "" }));
  }

  const fields = Object.fromEntries([...lists.keys()].map((name) => [name, sharedList]));
  const values = Object.fromEntries([...lists].map(([name, { node }]) => [name, toPlain(node)]));
  for (const { at, text } of located(validate(LISTS, fields, values).mistakes, lists, fields, LISTS))
    report(at, text);
  for (const [name, { at, node }] of lists) {
    if (!LIST_NAME.test(name)) report(at, `lists.${name}: ${LIST_NAME_RULE}`);
    for (const entry of node.entries ?? [])
      if (namedBy(entry))
        report(
          entry.at,
          `lists.${name}: ${entry.text} is a list, and a list holds values only: name both in the argument`,
        );
  }
  return (argument) => {
    const entries = namedBy(argument) ? [argument] : argument.entries;
    if (entries === undefined) return argument;
    const unique = new Map<unknown, Node>();
    for (const entry of entries.flatMap(expanded))
      if (!unique.has(entry.text ?? entry)) unique.set(entry.text ?? entry, entry);
    return { at: argument.at, entries: [...unique.values()] };
  };
}
