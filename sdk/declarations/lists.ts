import { type Node, type Report, sequence } from "./document";
import { circleText, inOrder } from "./order";

/**
 * Replaces names of lists by their values, in a list argument and in place of one. Lists can name other lists. Each value
 * appears once; any other text stays as it is.
 */
export function listExpander(lists: Node["members"], report: Report): (argument: Node) => Node {
  const known = new Map<unknown, readonly Node[]>();
  const entriesOf = (name: string) => lists?.get(name)?.node.entries ?? [];
  const needs = (name: string) => entriesOf(name).flatMap(({ value }) => nameOf(value) ?? []);
  const order = inOrder(lists?.keys() ?? [], needs, (circle) => {
    const last = circle.at(-1) ?? "";
    report(lists?.get(last)?.at ?? 0, `lists.${last}: a list can't contain itself: ${circleText(circle)}`);
  });
  for (const name of order) known.set(name, expanded(entriesOf(name), { list: name }));
  return (argument) => {
    const entries = known.has(argument.value) ? [argument] : argument.entries;
    return entries === undefined ? argument : sequence(expanded(entries), argument.at);
  };

  function nameOf(value: unknown): string | undefined {
    return typeof value === "string" && lists?.has(value) ? value : undefined;
  }

  function expanded(entries: readonly Node[], origin: Pick<Node, "list"> = {}): readonly Node[] {
    const once = new Map<unknown, Node>();
    for (const entry of entries)
      for (const each of known.get(entry.value) ?? [{ ...entry, ...origin }])
        if (!once.has(each.value)) once.set(each.value, each);
    return [...once.values()];
  }
}
