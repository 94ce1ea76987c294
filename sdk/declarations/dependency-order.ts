import type { Diagnostics } from "./diagnostics";
import type { Declaration } from "./entry";

/** The declarations in such an order that each comes after those that it depends on. */
export function inDependencyOrder(
  declarations: readonly Declaration[],
  diagnostics: Diagnostics,
): readonly Declaration[] {
  const byPath = new Map(declarations.map((each) => [each.path, each]));
  const seen = new Set<Declaration>();
  const sorted: Declaration[] = [];
  for (const first of declarations) {
    // A chain may be as long as the file, and longer than a stack of calls.
    const path: { readonly each: Declaration; next: number }[] = [];
    const open = new Set<string>();
    const enter = (each: Declaration): void => {
      if (seen.has(each)) return;
      seen.add(each);
      open.add(each.path);
      path.push({ each, next: 0 });
    };
    enter(first);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { each, next } = top;
      const name = each.options.dependsOn?.[next];
      const other = name === undefined ? undefined : byPath.get(name);
      top.next += 1;
      if (name === undefined) {
        path.pop();
        open.delete(each.path);
        sorted.push(each);
      } else if (open.has(name)) {
        const names = path.map((step) => step.each.path);
        const circle = shortened([...names.slice(names.indexOf(name)), name]).join(" > ");
        diagnostics.add(each.at, `${each.path}: dependsOn goes round in a circle: ${circle}`);
      } else if (other !== undefined) enter(other);
    }
  }
  return sorted;
}

/** How many names of a circle are told from each of its ends. */
const CIRCLE_ENDS = 4;

function shortened(names: readonly string[]): readonly string[] {
  const left = names.length - 2 * CIRCLE_ENDS;
  return left < 2 ? names : [...names.slice(0, CIRCLE_ENDS), `${left} more`, ...names.slice(-CIRCLE_ENDS)];
}
