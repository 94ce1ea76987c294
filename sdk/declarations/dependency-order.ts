import type { Report } from "./document";
import type { YamlEntry } from "./entry";

/** How many names of a circle are reported. */
const MOST_NAMES = 8;

/** The entries, each after those that it depends on. */
export function inDependencyOrder(entries: readonly YamlEntry[], report: Report): readonly YamlEntry[] {
  const byPath = new Map(entries.map((each) => [each.path, each]));
  const sorted = new Set<YamlEntry>();
  for (const first of entries) {
    // Not recursive, since a chain may be as long as the file.
    const open = new Set<YamlEntry>();
    const path: { readonly each: YamlEntry; readonly left: YamlEntry[] }[] = [];
    const enter = (each: YamlEntry) => {
      const names = each.options.dependsOn ?? [];
      const left = Array.isArray(names) ? names.flatMap((name) => byPath.get(name) ?? []).reverse() : [];
      open.add(each);
      path.push({ each, left });
    };
    if (!sorted.has(first)) enter(first);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.left.pop();
      if (next === undefined) {
        path.pop();
        open.delete(top.each);
        sorted.add(top.each);
      } else if (open.has(next)) reportCircle(top.each, [...open].slice([...open].indexOf(next)), report);
      else if (!sorted.has(next)) enter(next);
    }
  }
  return [...sorted];
}

function reportCircle({ at, path }: YamlEntry, circle: readonly YamlEntry[], report: Report): void {
  const names = circle.slice(0, MOST_NAMES).map((each) => each.path);
  const more = circle.length > MOST_NAMES ? [`${circle.length - MOST_NAMES} more`] : [];
  report(at, `${path}: dependsOn goes round in a circle: ${[...names, ...more, names[0]].join(" > ")}`);
}
