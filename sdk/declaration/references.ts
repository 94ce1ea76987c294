import type { Declaration } from "./entry";
import type { Mistakes } from "./mistakes";

/** The declarations in such an order that each comes after those that it depends on. */
export function ordered(declarations: readonly Declaration[], mistakes: Mistakes): readonly Declaration[] {
  const byPath = new Map(declarations.map((each) => [each.path, each]));
  const seen = new Set<Declaration>();
  const sorted: Declaration[] = [];
  const visit = (each: Declaration, above: readonly string[]): void => {
    if (seen.has(each)) return;
    seen.add(each);
    const path = [...above, each.path];
    for (const name of each.options.dependsOn ?? []) {
      const other = byPath.get(name);
      if (path.includes(name)) {
        const circle = [...path.slice(path.indexOf(name)), name].join(" > ");
        mistakes.add(each.at, `${each.path}: dependsOn goes round in a circle: ${circle}`);
      } else if (other !== undefined) visit(other, path);
    }
    sorted.push(each);
  };
  for (const each of declarations) visit(each, []);
  return sorted;
}
