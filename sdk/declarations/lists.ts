import { type Node, type Report, sequence } from "./document";

/** The section of shared lists. */
export const LISTS = "lists";

/**
 * The form of a list's name. No address has this form, so a mistyped name among addresses is an error.
 */
export const LIST_NAME = /^[A-Za-z_][\w-]*$/;

/** How deep lists may name other lists. */
const DEEPEST = 100;

/**
 * Replaces names of lists by their values, in a list argument and in place of one. Each value appears once; any other
 * text stays as it is.
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
