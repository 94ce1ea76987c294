import { domainToASCII, domainToUnicode } from "node:url";
import picomatch from "picomatch";
import { CommandFailure } from "./failure";
import { parseFile } from "./pulumi/project";

/** A domain, a name or a glob, and where it was given. */
export interface Pattern {
  readonly text: string;
  /** Such as `--match` or `blog.txt:3`. */
  readonly place: string;
  matches(key: string): boolean;
}

/** Patterns of domains and names, and which of them match nothing. */
export class Patterns {
  readonly unused: Set<Pattern>;

  constructor(private readonly all: readonly Pattern[]) {
    this.unused = new Set(all);
  }

  get size(): number {
    return this.all.length;
  }

  /** Whether a pattern matches a domain or name; ignores case, and knows a domain by its ASCII and its Unicode form. */
  match(key: string): boolean {
    const forms = [key, domainToASCII(key), domainToUnicode(domainToASCII(key))]
      .filter((form) => form !== "")
      .map((form) => form.normalize("NFC"));
    // Every pattern is tried, so that unused ones are known.
    const matching = this.all.filter((each) => forms.some((form) => each.matches(form)));
    for (const each of matching) this.unused.delete(each);
    return matching.length > 0;
  }
}

/** The domains, names and globs in a file, one per line; blank lines and lines that begin with `#` are ignored. */
export function readPatterns(file: string): Pattern[] {
  const lines = parseFile(file, (text) => text.split(/\r?\n/));
  return lines.flatMap((line, at) =>
    /^\s*(#|$)/.test(line) ? [] : [parsePattern(`${file}:${at + 1}`, line.trim())],
  );
}

/** Throws a `CommandFailure` if a pattern is invalid. */
export function parsePattern(place: string, text: string): Pattern {
  const glob = text.trim().normalize("NFC");
  try {
    const isMatch = picomatch(glob, { nocase: true, dot: true, bash: true, strictBrackets: true });
    return { text, place, matches: (key) => key === glob || isMatch(key) };
  } catch (error) {
    throw new CommandFailure(
      `${place} ${JSON.stringify(text)} is not a valid pattern: ${error instanceof Error ? error.message : error}`,
      "Write * for any text, and ? for one character",
    );
  }
}
