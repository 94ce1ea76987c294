import type { Notice } from "./lifecycle";

/** How many similar notices are printed. */
const MAX_LINES = 10;
/** Begins the line that stands for the others. */
export const MORE = "and more, not shown: ";

/**
 * Prints notices at once, since the engine ends this process without notice: one line each, each line once, and after
 * ten similar ones a line that more exist.
 */
export class Notices {
  private readonly printed = new Set<string>();
  private readonly counts = new Map<string, number>();

  constructor(private readonly print: (line: string) => void) {}

  add({ text, groupKey }: Notice): void {
    if (this.printed.has(text)) return;
    this.printed.add(text);
    const count = (this.counts.get(groupKey) ?? 0) + 1;
    this.counts.set(groupKey, count);
    if (count <= MAX_LINES) this.print(text);
    else if (count === MAX_LINES + 1) this.print(MORE + groupKey);
  }
}
