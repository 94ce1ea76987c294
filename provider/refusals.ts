import { sanitize } from "./api/redact";
import type { Rejection } from "./lifecycle";
import type { Violation } from "./schema/validate";

/** The lines of a file of declarations for a resource's doubtful values, in case `check` refuses them. */
export interface FileLines {
  /** The file's name. */
  readonly file?: string;
  /** Replacements for `check`'s sentences: the line of the file, and the mistake there. */
  readonly lines?: readonly (Omit<Violation, "text"> & { readonly line: string })[];
  /** These lines for all resources of the file. */
  readonly others?: readonly string[];
}

/**
 * The engine stops at the first refused resource. So that a file can be corrected at once, the refusal also names the
 * mistakes of the other resources, except those that passed because their records already have the value.
 */
export class Refusals {
  private readonly passed = new Set<string>();

  /** One reason for each refusal, or one for all if the file has more mistakes. */
  reasonsFor(
    refusals: readonly Rejection[],
    { file = "", lines = [], others = [] }: FileLines = {},
  ): string[] {
    if (refusals.length === 0) {
      for (const { line } of lines) this.passed.add(line);
      return [];
    }
    const placed = refusals.map((each) => ({ text: each.text, line: lineFor(each, lines) }));
    const reasons = placed.map(({ text, line }) => sanitize(line ?? text));
    const isOwn = (line: string) => lines.some((each) => each.line === line);
    const otherReasons = others.filter((each) => !this.passed.has(each) && !isOwn(each)).map(sanitize);
    if (otherReasons.length === 0 || placed.every(({ line }) => line === undefined)) return reasons;
    const head = `${sanitize(file)}: ${reasons.length + otherReasons.length} mistakes (a value that its record already has is not counted)`;
    return [[head, ...[...reasons, ...otherReasons].sort(inOrderOfFile)].join("\n")];
  }
}

function lineFor(refusal: Rejection, lines: NonNullable<FileLines["lines"]>): string | undefined {
  if (!("argument" in refusal)) return undefined;
  const { argument, breaks } = refusal;
  return lines.find((each) => each.argument === argument && each.breaks === breaks)?.line;
}

/** By `file:line:column: …`. */
const { compare: inOrderOfFile } = new Intl.Collator("en", { numeric: true });
