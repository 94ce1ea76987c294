import { sanitize } from "../../provider/api/redact";
import type { Place } from "./document";
import type { Mistake } from "./syntax";

/** So many mistakes are reported; the rest is counted. */
export const MAX_LINES = 50;

/** A file that can't be taken; the message says everything that is wrong with it, a line each. */
export class DeclarationError extends Error {}

/** Mistakes in the order of the file, each once: two resources that share a list or an anchor share its mistakes. */
export function once<T extends Mistake>(mistakes: readonly T[]): T[] {
  const known = new Map(mistakes.map((each) => [`${each.at} ${each.text}`, each]));
  return [...known.values()].sort((a, b) => a.at - b.at);
}

/** All that is wrong with a file. */
export function failure(file: string, mistakes: readonly Mistake[], place: Place): DeclarationError {
  const sorted = once(mistakes);
  const lines = sorted.slice(0, MAX_LINES).map((each) => lineOf(each, file, place));
  if (sorted.length === 1) return new DeclarationError(lines[0]);
  if (sorted.length > MAX_LINES) lines.push(`and ${sorted.length - MAX_LINES} more`);
  return new DeclarationError([`${sanitize(file)}: ${sorted.length} mistakes`, ...lines].join("\n"));
}

/** `file:line:column: what is wrong` */
export function lineOf({ at, text }: Mistake, file: string, place: Place): string {
  const { line, col } = place(at);
  return sanitize(`${file}:${line}:${col}: ${text}`);
}
