import { domainToASCII, domainToUnicode } from "node:url";
import { enumerate } from "./alike";
import { CommandFailure } from "./failure";
import { parseFile } from "./pulumi/project";

/** Adds a value to those of an option that can be given several times. */
export const collect = (value: string, before: string[] = []) => [...before, value];

/**
 * Domains and names, whatever their case, in which * is any text; a domain in its ASCII or its Unicode form. `@FILE` has one
 * on each line; blank lines and those that begin with `#` are ignored.
 */
export class Patterns {
  /** Those that have matched nothing, such as `--match "*.example"`. */
  readonly unused = new Set<string>();
  /** By their text, so that a long file costs a record no more than a short one. */
  readonly names = new Map<string, string>();
  private readonly globs: { readonly name: string; readonly glob: RegExp }[] = [];

  /** Throws a `CommandFailure` if one is empty. */
  constructor(option: string, texts: readonly string[]) {
    for (const text of texts.flatMap(readPatterns))
      this.add(`${option} ${JSON.stringify(text)}`, folded(text));
  }

  match(key: string): boolean {
    const forms = [key, domainToASCII(key), domainToUnicode(domainToASCII(key))].map(folded).filter(Boolean);
    // Every pattern is tried, so that unused ones are known.
    const matching = [
      ...forms.map((form) => this.names.get(form)),
      ...this.globs.filter(({ glob }) => forms.some((form) => glob.test(form))).map(({ name }) => name),
    ].filter((name) => name !== undefined);
    for (const name of matching) this.unused.delete(name);
    return matching.length > 0;
  }

  private add(name: string, text: string): void {
    if (text === "") throw new CommandFailure(`${name} is empty`, "Write a domain or a name; * is any text");
    if (this.names.has(text)) return;
    const parts = text.split("*").map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&"));
    if (parts.length > 1) this.globs.push({ name, glob: new RegExp(`^${parts.join(".*")}$`, "s") });
    this.names.set(text, name);
    this.unused.add(name);
  }
}

/** The lines of `@FILE` that have a pattern, or the text itself. */
function readPatterns(text: string): string[] {
  if (!text.startsWith("@")) return [text];
  const lines = parseFile(text.slice(1), (content) => content.split(/\r?\n/));
  return lines.filter((line) => !/^\s*(#|$)/.test(line));
}

/**
 * Selects records by domain or name. `reportUnused` prints each pattern that matched none, and throws if no pattern of
 * `--match` did. Throws a `CommandFailure` if a pattern is empty.
 */
export function createFilter({ match = [], exclude = [] }: { match?: string[]; exclude?: string[] }) {
  const included = new Patterns("--match", match);
  const excluded = new Patterns("--exclude", exclude);
  return {
    matches(key: string): boolean {
      const [isIncluded, isExcluded] = [included.match(key), excluded.match(key)];
      return (match.length === 0 || isIncluded) && !isExcluded;
    },
    reportUnused(print: (line: string) => void): void {
      if (match.length > 0 && included.unused.size === included.names.size)
        throw new CommandFailure(
          `Nothing to import: no record matches ${enumerate(match.map((each) => `--match ${JSON.stringify(each)}`))}`,
          "Give domains and names as the service shows them; * is any text",
        );
      const unused = [...included.unused, ...excluded.unused];
      if (unused.length > 0) print(`No record matches ${enumerate(unused)}.`);
    },
  };
}

function folded(text: string): string {
  return text.trim().normalize("NFC").toLowerCase();
}
