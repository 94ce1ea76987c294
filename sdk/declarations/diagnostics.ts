import { sanitize } from "../../provider/api/redact";

/** So many mistakes are told; the rest is counted. */
export const MAX_LINES = 50;

/** A sentence, or one that names the line of another place in the file. */
export type Sentence = string | ((line: (at: number) => number) => string);

/** What is wrong, and where: an offset into the file's text. */
export interface Diagnostic {
  readonly at: number;
  readonly text: Sentence;
  /** Told only where nothing else is said of the same place. */
  readonly mild?: boolean;
}

/** What is wrong with a file. It is told all at once, in the order of the file, each with its line and column. */
export class Diagnostics {
  private readonly all: Diagnostic[] = [];

  /** @param at offset into the file's text */
  add(at: number, text: Sentence): void {
    this.take({ at, text });
  }

  take({ at, text, ...rest }: Diagnostic): void {
    // Two resources that share a list or an anchor share its mistakes.
    if (!this.all.some((each) => each.at === at && each.text === text)) this.all.push({ at, text, ...rest });
  }

  get count(): number {
    return this.found.length;
  }

  private get found(): Diagnostic[] {
    const places = new Set(this.all.flatMap(({ at, mild }) => (mild ? [] : at)));
    return this.all.filter(({ at, mild }) => !mild || !places.has(at));
  }

  /** `file:line:column: what is wrong`, a line each. */
  message(file: string, content: string): string {
    const lines = this.found.sort((a, b) => a.at - b.at).map((each) => lineOf(each, file, content));
    return messageOf(file, lines);
  }
}

/** The lines of a file's mistakes as one message, which says how many there are. */
function messageOf(file: string, lines: readonly string[]): string {
  const [only] = lines;
  if (lines.length === 1 && only !== undefined) return only;
  const remainder = lines.length > MAX_LINES ? [`and ${lines.length - MAX_LINES} more`] : [];
  return [`${sanitize(file)}: ${lines.length} mistakes`, ...lines.slice(0, MAX_LINES), ...remainder].join(
    "\n",
  );
}

/** `file:line:column: what is wrong` */
export function lineOf({ at, text }: Diagnostic, file: string, content: string): string {
  const says = typeof text === "string" ? text : text((other) => place(content, other).line);
  const { line, column } = place(content, at);
  return sanitize(`${file}:${line}:${column}: ${says}`);
}

/** Line and column, both from 1, as editors count them. */
function place(content: string, at: number): { line: number; column: number } {
  const lines = content.slice(0, at).split("\n");
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
