/**
 * Sorts names, each after those that it needs.
 *
 * @param report reports a circle: the last of its names, and the circle as `a > b > a`
 */
export function inOrder(
  names: Iterable<string>,
  needs: (name: string) => readonly string[],
  report: (name: string, circle: string) => void,
): readonly string[] {
  const all = new Set(names);
  const sorted = new Set<string>();
  /** What remains of the needs of each name in the path. */
  const open = new Map<string, Iterator<string, undefined>>();
  for (const first of all) if (!sorted.has(first)) follow(first);
  return [...sorted];

  /** Not recursive, since a chain may be as long as the file. */
  function follow(first: string): void {
    const path = [first];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const rest = open.get(top) ?? needs(top).values();
      open.set(top, rest);
      const next = rest.next().value;
      if (next === undefined) {
        open.delete(top);
        sorted.add(path.pop() ?? top);
      } else if (open.has(next)) report(top, [...path.slice(path.indexOf(next)), next].join(" > "));
      else if (all.has(next) && !sorted.has(next)) path.push(next);
    }
  }
}
