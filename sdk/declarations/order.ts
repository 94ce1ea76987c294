import type { Report } from "./document";

/** How many names of a circle are reported. */
const MOST_NAMES = 8;

/**
 * Sorts names, each after those that it needs.
 *
 * @param problem what a circle means for the last of its names
 */
export function inOrder<T extends { readonly at: number }>(
  all: ReadonlyMap<string, T>,
  needs: (item: T | undefined) => readonly string[],
  problem: (name: string) => string,
  report: Report,
): readonly string[] {
  const sorted = new Set<string>();
  for (const first of all.keys()) {
    // Not recursive, since a chain may be as long as the file.
    const path = sorted.has(first) ? [] : [first];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = needs(all.get(top)).find((each) => all.has(each) && !sorted.has(each));
      const start = next === undefined ? -1 : path.indexOf(next);
      if (start >= 0) report(all.get(top)?.at ?? 0, `${problem(top)}: ${circleText(path.slice(start))}`);
      if (next !== undefined && start < 0) path.push(next);
      else sorted.add(path.pop() ?? top);
    }
  }
  return [...sorted];
}

/** `a > b > a` */
function circleText(names: readonly string[]): string {
  const more = names.length > MOST_NAMES ? [`${names.length - MOST_NAMES} more`] : [];
  return [...names.slice(0, MOST_NAMES), ...more, names[0]].join(" > ");
}
