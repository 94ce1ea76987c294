import { lines } from "../../provider/schema/kinds";
import { validate } from "../../provider/schema/validate";
import { type Members, type Node, type Report, toPlain } from "./document";
import { located } from "./located";
import { inOrder } from "./order";

/** The section of shared lists. */
export const LISTS = "lists";
/** The form of a list's name. No address has this form, so a mistyped name among addresses is an error. */
export const LIST_NAME = /^[A-Za-z_][\w-]*$/;
/** The same rule for messages. */
export const LIST_NAME_RULE = 'a list\'s name is letters, digits, "-" and "_", and no digit comes first';
/** A list under a name of its own. */
export const sharedList = lines({
  expected: "a list of values",
  validator: (z) => z.string(),
  canonical: String,
});

/**
 * Checks the shared lists, which can name other lists.
 *
 * @returns replaces names of lists by their values, in a list argument and in place of one. Each value appears once; any
 *   other text stays as it is
 */
export function listExpander(lists: Members, report: Report): (argument: Node) => Node {
  const names = [...lists.keys()];
  for (const [name, { at }] of lists)
    if (!LIST_NAME.test(name)) report(at, `lists.${name}: ${LIST_NAME_RULE}`);
  const fields = Object.fromEntries(names.map((name) => [name, sharedList]));
  const values = Object.fromEntries([...lists].map(([name, { node }]) => [name, toPlain(node)]));
  for (const { at, text } of located(validate(LISTS, fields, values).mistakes, lists, fields, 0, LISTS))
    report(at, text);
  const known = new Map<unknown, readonly Node[]>();
  const entriesOf = (name: string) => lists.get(name)?.node.entries ?? [];
  const needs = (name: string) => entriesOf(name).map(({ text }) => String(text));
  const reportCircle = (name: string, circle: string) =>
    report(lists.get(name)?.at ?? 0, `lists.${name}: a list can't contain itself: ${circle}`);
  for (const name of inOrder(names, needs, reportCircle))
    known.set(name, expanded(entriesOf(name), { list: name }));
  return (argument) => {
    const entries = known.has(argument.text) ? [argument] : argument.entries;
    return entries === undefined ? argument : { at: argument.at, entries: expanded(entries) };
  };

  function expanded(entries: readonly Node[], origin: Pick<Node, "list"> = {}): readonly Node[] {
    const once = new Map<unknown, Node>();
    for (const entry of entries)
      for (const each of known.get(entry.text) ?? [{ ...entry, ...origin }])
        if (!once.has(each.text ?? each)) once.set(each.text ?? each, each);
    return [...once.values()];
  }
}
