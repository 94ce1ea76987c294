import { noun, type Resource } from "../provider/schema/resource";

/** How many similar lines are printed, before one with the number of the others. */
const MAX_ALIKE = 10;

/** Returns the first ten texts and, if there are others, one that says how many: `and 3 more`. */
export function firstOf(
  texts: readonly string[],
  more = (omitted: number): string => `and ${omitted} more`,
): string[] {
  const omitted = texts.length - MAX_ALIKE;
  return omitted > 0 ? [...texts.slice(0, MAX_ALIKE), more(omitted)] : [...texts];
}

/** The first ten texts in one line: `a, b, and 3 more`. */
export function enumerate(texts: readonly string[], separator = ", "): string {
  return firstOf(texts).join(separator);
}

/** Groups items by a key, in the order of their first items. An item without a key is in no group. */
export function groupsBy<T>(items: readonly T[], keyOf: (item: T) => string | undefined): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** Such as `3 websites`. */
export function countOf(resource: Resource, { length }: readonly unknown[]): string {
  return `${length} ${noun(resource)}${length === 1 ? "" : "s"}`;
}
