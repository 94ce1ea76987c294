import { isBlank, type Rewrite } from "./repair";

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** A line indented as those around it, the nearest first. */
export function indents(lines: readonly string[], at: number): Rewrite[] {
  const line = lines[at] ?? "";
  const has = indentOf(line);
  const around = [...lines.keys()].filter((each) => each !== at && !isBlank(lines[each] ?? ""));
  const neighbours = around
    .filter((each) => Math.abs(each - at) < 40)
    .sort((a, b) => Math.abs(a - at) - Math.abs(b - at));
  const wanted = new Map(neighbours.map((each) => [indentOf(lines[each] ?? ""), each] as const).reverse());
  return [...wanted]
    .filter(([indent]) => indent !== has)
    .sort(([a], [b]) => Math.abs(a - has) - Math.abs(b - has))
    .slice(0, 4)
    .map(([indent, like]) => ({
      becomes: " ".repeat(indent) + line.trimStart(),
      column: has,
      text: `this line is indented by ${spaces(has)}, which fits no line around it: indent it by ${spaces(indent)}, as line ${like + 1}`,
    }));
}

function spaces(count: number): string {
  if (count === 0) return "no space";
  return `${count} space${count === 1 ? "" : "s"}`;
}
