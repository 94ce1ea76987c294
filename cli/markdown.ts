/** GitHub takes 65,536 characters in a comment. Headings need some of them. */
const MAX_BYTES = 60_000;
/** A part of a document. */
export interface Part {
  readonly title: string;
  /** It is shown as its heading, which opens on a click. */
  readonly isFolded?: boolean;
  /** A sentence below its heading. */
  readonly intro?: string | undefined;
  /** A table's heading; absent for a list. */
  readonly columns?: readonly string[];
  /** Texts that are Markdown already: cells of a table, or one for each line of a list. */
  readonly rows: readonly (readonly string[])[];
  /** How many things the rows name, if some name several. */
  readonly count?: number;
}

/** A part with its heading, cut to the room that it has. */
function sectionOf(part: Part, room: number): string {
  const { title, columns, rows, isFolded, intro, count = rows.length } = part;
  const head = columns ? [`| ${columns.join(" | ")} |`, `|${" --- |".repeat(columns.length)}`] : [];
  const lines: string[] = [];
  let left = room;
  for (const row of rows) {
    const line = columns ? `| ${row.join(" | ")} |` : `- ${row.join(" ").trimEnd()}`;
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) break;
    lines.push(line);
  }
  const more = rows.length - lines.length;
  const introduction = intro === undefined ? [] : [intro, ""];
  const text = [...introduction, ...head, ...lines, ...(more > 0 ? ["", `… and ${more} more.`] : [])].join(
    "\n",
  );
  const name = `${title} (${count})`;
  return isFolded ? `<details><summary>${name}</summary>\n\n${text}\n\n</details>` : `**${name}**\n\n${text}`;
}

/** A document that fits in a comment on a pull request. Parts have equal room; one that is cut says how many lines it lacks. */
export function markdown(intro: readonly string[], parts: readonly Part[]): string {
  const used = parts.filter(({ rows }) => rows.length > 0);
  const texts = used.map((part) => sectionOf(part, MAX_BYTES / used.length));
  return [...intro, ...texts].join("\n\n").concat("\n");
}

/** A text as code: a pixel that is called `@everyone` notifies nobody, and `**x**` is not bold. */
export function code(text: string): string {
  if (text === "") return "";
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  const pad = /^`|`$|^ .* $/.test(text) ? " " : "";
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** A text as code for a table's cell, which a bar ends even in code. A bar after a backslash is no code: renderers differ there. */
export function codeCell(text: string): string {
  const parts = text.split(/(?<=\\)\|/).map((part) => code(part).replaceAll("|", "\\|"));
  return parts.join("&#124;");
}
