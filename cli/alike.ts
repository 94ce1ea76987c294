/** How many similar lines are printed, before one with the number of the others. */
export const MAX_ALIKE = 10;

/** The first ten of these, and how many others there are. */
export function enumerate(all: readonly string[], separator = ", "): string {
  const more = all.length > MAX_ALIKE ? [`and ${all.length - MAX_ALIKE} more`] : [];
  return [...all.slice(0, MAX_ALIKE), ...more].join(separator);
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
