import { type Node, type Report, sequence } from "./document";

/** The section of the lists that a file shares by name. */
export const LISTS = "lists";

/**
 * What a list may be called. No address can be mistaken for a name, so a name that is mistyped among addresses is
 * an error.
 */
export const LIST_NAME = /^[A-Za-z_][\w-]*$/;

/** Lists name lists, and these others: so deep at most. */
const DEEPEST = 100;

/**
 * Puts the values of lists in the place of their names: in a list argument, and where a name stands instead of one.
 * Each value stands once; any other text stands for itself.
 */
export function listExpander(lists: Node["members"], report: Report): (argument: Node) => Node {
  const known = new Map<string, readonly Node[]>();
  for (const name of lists?.keys() ?? []) named(name, []);
  return (argument) => {
    const isName = typeof argument.value === "string" && lists?.has(argument.value);
    const entries = isName ? [argument] : argument.entries;
    return entries === undefined ? argument : sequence(expanded(entries, []), argument.at);
  };

  function expanded(entries: readonly Node[], path: readonly string[]): readonly Node[] {
    const once = new Map<unknown, Node>();
    for (const each of entries.flatMap((entry) => valuesOf(entry, path)))
      if (!once.has(each.value)) once.set(each.value, each);
    return [...once.values()];
  }

  function valuesOf(entry: Node, path: readonly string[]): readonly Node[] {
    const list = path.at(-1);
    const { at, value } = entry;
    if (typeof value !== "string" || !lists?.has(value))
      return [list === undefined ? entry : { ...entry, list }];
    const start = path.indexOf(value);
    if (start < 0 && path.length < DEEPEST) return named(value, path);
    const circle = `a list can't contain itself: ${[...path.slice(start), value].join(" > ")}`;
    report(
      at,
      `lists.${list}: ${start < 0 ? `lists can't name each other more than ${DEEPEST} deep` : circle}`,
    );
    return [];
  }

  function named(name: string, path: readonly string[]): readonly Node[] {
    const values = known.get(name) ?? expanded(lists?.get(name)?.node.entries ?? [], [...path, name]);
    known.set(name, values);
    return values;
  }
}
