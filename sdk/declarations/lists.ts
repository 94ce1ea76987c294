import { type Member, type Node, type Report, sequence } from "./document";
import { inOrder } from "./order";

/**
 * Replaces names of lists by their values, in a list argument and in place of one. Lists can name other lists. Each value
 * appears once; any other text stays as it is.
 */
export function listExpander(lists: Node["members"] = new Map(), report: Report): (argument: Node) => Node {
  const known = new Map<unknown, readonly Node[]>();
  const entriesOf = (list?: Member) => list?.node.entries ?? [];
  const needs = (list?: Member) => entriesOf(list).map(({ value }) => String(value));
  const problem = (name: string) => `lists.${name}: a list can't contain itself`;
  for (const name of inOrder(lists, needs, problem, report))
    known.set(name, expanded(entriesOf(lists.get(name)), { list: name }));
  return (argument) => {
    const entries = known.has(argument.value) ? [argument] : argument.entries;
    return entries === undefined ? argument : sequence(expanded(entries), argument.at);
  };

  function expanded(entries: readonly Node[], origin: Pick<Node, "list"> = {}): readonly Node[] {
    const once = new Map<unknown, Node>();
    for (const entry of entries)
      for (const each of known.get(entry.value) ?? [{ ...entry, ...origin }])
        if (!once.has(each.value)) once.set(each.value, each);
    return [...once.values()];
  }
}
