import { clean } from "../../provider/api/redact";

const MANY = 50;

/** What is wrong, and where: an offset into the file's text. */
export interface Mistake {
  readonly at: number;
  readonly text: string;
}

/** What is wrong with a file. It is told all at once, in the order of the file, each with its line and column. */
export class Mistakes {
  private readonly found: Mistake[] = [];

  /** @param at offset into the file's text */
  add(at: number, text: string): void {
    // Two resources that share a list or an anchor share its mistakes.
    if (!this.found.some((each) => each.at === at && each.text === text)) this.found.push({ at, text });
  }

  get count(): number {
    return this.found.length;
  }

  /** `file:line:column: what is wrong`, a line each. */
  message(file: string, content: string): string {
    const lines = [...this.found].sort((a, b) => a.at - b.at).map((each) => lineOf(each, file, content));
    const [only] = lines;
    if (lines.length === 1 && only !== undefined) return only;
    const rest = lines.length > MANY ? [`and ${lines.length - MANY} more`] : [];
    return [`${clean(file)}: ${lines.length} mistakes`, ...lines.slice(0, MANY), ...rest].join("\n");
  }
}

/** `file:line:column: what is wrong` */
export function lineOf({ at, text }: Mistake, file: string, content: string): string {
  return clean(`${file}:${place(content, at)}: ${text}`);
}

/** Line and column, both from 1, as editors count them. */
function place(content: string, at: number): string {
  const lines = content.slice(0, at).split("\n");
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}
