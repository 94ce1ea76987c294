/** A text whose lines are repaired one by one; every place in what it became can be told in what it was. */
export class RepairedText {
  private readonly original: readonly string[];

  private constructor(
    original: readonly string[],
    readonly lines: readonly string[],
  ) {
    this.original = original;
  }

  static of(text: string): RepairedText {
    const lines = text.split("\n");
    return new RepairedText(lines, lines);
  }

  /** The same with one line written otherwise. */
  with(line: number, becomes: string): RepairedText {
    return new RepairedText(
      this.original,
      this.lines.map((each, at) => (at === line ? becomes : each)),
    );
  }

  get text(): string {
    return this.lines.join("\n");
  }

  /** Line and column of an offset, both from 0, in the text as it is now. */
  placeOf(offset: number): { line: number; column: number } {
    const before = this.text.slice(0, offset).split("\n");
    return { line: before.length - 1, column: before.at(-1)?.length ?? 0 };
  }

  /** The offset in the original text of a line and column in it. */
  offsetOf(line: number, column: number): number {
    const above = this.original.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
    return above + Math.min(column, this.original[line]?.length ?? 0);
  }

  /** The offset in the original text of an offset in the text as it is now. */
  origin(offset: number): number {
    if (this.lines === this.original) return offset;
    const { line, column } = this.placeOf(offset);
    const [was = "", is = ""] = [this.original[line], this.lines[line]];
    const same = commonStart(was, is);
    // What stands behind the change has moved with the end of the line.
    return this.offsetOf(line, column <= same ? column : Math.max(same, was.length - (is.length - column)));
  }
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
