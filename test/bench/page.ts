/** The rows of the first table below a line of a page, by the titles of their columns. */
export function tableBelow(page: string, line: string): Readonly<Record<string, string>>[] {
  const lines = page.split("\n");
  const from = lines.indexOf(line);
  if (from < 0) throw new Error(`the page has no line "${line}"`);
  const start = lines.findIndex((each, at) => at > from && each.startsWith("|"));
  const end = lines.findIndex((each, at) => at > start && !each.startsWith("|"));
  const [titles = [], , ...rows] = lines.slice(start, end < 0 ? undefined : end).map(cellsOf);
  return rows.map((cells) => Object.fromEntries(titles.map((title, at) => [title, cells[at] ?? ""])));
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}
