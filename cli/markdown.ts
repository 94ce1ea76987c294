/** GitHub takes 65,536 characters in a comment. */
const MAX_BYTES = 60_000;
/** A part of a document. */
export interface Part {
  readonly title: string;
  /** It is too long to be read at once. */
  readonly isFolded?: boolean;
  /** A table's heading; absent for a list. */
  readonly columns?: readonly string[];
  /** Texts that are Markdown already: cells of a table, or one for each line of a list. */
  readonly rows: readonly (readonly string[])[];
  /** Other parts give way to it if the document would be too long. */
  readonly isKept?: boolean;
  /** How many things the rows name; by default, one each. */
  readonly count?: number;
}

/**
 * A document that fits in a comment on a pull request: long parts are folded, and if it would be too long, each says how
 * many lines it lacks.
 */
export function markdown(intro: readonly string[], parts: readonly Part[]): string {
  const used = parts.filter(({ rows }) => rows.length > 0);
  let left =
    MAX_BYTES - size(intro.join("\n\n")) - used.reduce((sum, each) => sum + size(framed(each, [])), 0);
  const texts = new Map<Part, string>();
  for (const part of used.toSorted((one, other) => Number(!one.isKept) - Number(!other.isKept))) {
    const lines: string[] = [];
    for (const row of part.rows) {
      const line = part.columns ? `| ${row.join(" | ")} |` : `- ${row.join(" ").trimEnd()}`;
      left -= size(line) + 1;
      if (left < 0) break;
      lines.push(line);
    }
    texts.set(part, framed(part, lines));
  }
  return [...intro, ...used.map((part) => texts.get(part))].join("\n\n").concat("\n");
}

function framed(
  { title, columns, rows, isFolded, count = rows.length }: Part,
  lines: readonly string[],
): string {
  const head = columns ? [`| ${columns.join(" | ")} |`, `|${" --- |".repeat(columns.length)}`] : [];
  const more = rows.length - lines.length;
  const text = [...head, ...lines, ...(more > 0 ? ["", `… and ${more} more.`] : [])].join("\n");
  const name = `${title} (${count})`;
  return isFolded ? `<details><summary>${name}</summary>\n\n${text}\n\n</details>` : `**${name}**\n\n${text}`;
}

function size(text: string): number {
  return Buffer.byteLength(text);
}

/** A text on one line that readers see literally: in code, no mark, link, mention or tag means anything. */
export function code(text: string): string {
  if (text === "") return "";
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = /^`|`$|^ .* $/.test(text) ? " " : "";
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** The same for a table's cell, which a bar ends even in code. After a backslash it is no code: renderers differ on that. */
export function codeCell(text: string): string {
  const parts = text.split(/(?<=\\)\|/).map((part) => code(part).replaceAll("|", "\\|"));
  return parts.join("&#124;");
}
