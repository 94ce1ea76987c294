import { noun, type Resource } from "../provider/schema/resource";

/** How many similar lines are printed, before one with the number of the others. */
const MAX_ALIKE = 10;

/** The first ten of these texts and, if there are others, one that says how many. */
export function firstOf(
  all: readonly string[],
  more = (others: number): string => `and ${others} more`,
): string[] {
  const others = all.length - MAX_ALIKE;
  return others > 0 ? [...all.slice(0, MAX_ALIKE), more(others)] : [...all];
}

/** The same in one line. */
export function enumerate(all: readonly string[], separator = ", "): string {
  return firstOf(all).join(separator);
}

/** Groups of all that have the same key; what has none is in no group. */
export function groupsBy<T>(all: readonly T[], by: (each: T) => string | undefined): [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const each of all) {
    const key = by(each);
    const group = key === undefined ? undefined : groups.get(key);
    if (group !== undefined) group.push(each);
    else if (key !== undefined) groups.set(key, [each]);
  }
  return [...groups.values()];
}

/** Such as `3 websites`. */
export function countOf(resource: Resource, { length }: readonly unknown[]): string {
  return `${length} ${noun(resource)}${length === 1 ? "" : "s"}`;
}
