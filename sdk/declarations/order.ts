/** How many names of a circle are reported. */
const MOST_NAMES = 8;

/**
 * Sorts each item after those that it needs.
 *
 * @param circular is called with each circle
 */
export function inOrder<T>(
  all: Iterable<T>,
  needs: (each: T) => readonly T[],
  circular: (circle: readonly T[]) => void,
): readonly T[] {
  const sorted = new Set<T>();
  for (const first of all) {
    // Not recursive, since a chain may be as long as the file.
    const path = sorted.has(first) ? [] : [first];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = needs(top).find((each) => !sorted.has(each));
      const start = next === undefined ? -1 : path.indexOf(next);
      if (start >= 0) circular(path.slice(start));
      if (next !== undefined && start < 0) path.push(next);
      else sorted.add(path.pop() ?? top);
    }
  }
  return [...sorted];
}

/** `a > b > a` */
export function circleText(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? [`${names.length - MOST_NAMES} more`] : [];
  return [...names.slice(0, MOST_NAMES), ...more, names[0]].join(" > ");
}
