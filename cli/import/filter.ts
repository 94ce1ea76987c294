import { domainToASCII, domainToUnicode } from "node:url";
import picomatch from "picomatch";
import { CommandFailure } from "../failure";
import { parseFile } from "../pulumi/project";
import type { ImportOptions } from "./run";

/** A domain, a name or a glob, and where it was given. */
interface Pattern {
  readonly text: string;
  /** Such as `--match` or `blog.txt:3`. */
  readonly place: string;
  matches(key: string): boolean;
}

/** Which records to import, by domain or name, and which patterns match none. */
export class Filter {
  private readonly match: readonly Pattern[];
  private readonly exclude: readonly Pattern[];
  private readonly unused: Set<Pattern>;

  /** Throws a `CommandFailure` if a pattern is invalid. */
  constructor({ match = [], exclude = [], from }: Pick<ImportOptions, "match" | "exclude" | "from">) {
    const listed = from === undefined ? [] : readPatterns(from);
    this.match = [...match.map((each) => parsePattern("--match", each)), ...listed];
    this.exclude = exclude.map((each) => parsePattern("--exclude", each));
    this.unused = new Set([...this.match, ...this.exclude]);
  }

  /** Whether to import a domain or name; ignores case, and matches a domain in its ASCII and its Unicode form. */
  matches(key: string): boolean {
    const forms = [key, domainToASCII(key), domainToUnicode(domainToASCII(key))]
      .filter((form) => form !== "")
      .map((form) => form.normalize("NFC"));
    // Every pattern is tried, so that unused ones are known.
    const [included, excluded] = [this.match, this.exclude].map((patterns) => {
      const matching = patterns.filter((each) => forms.some((form) => each.matches(form)));
      for (const each of matching) this.unused.delete(each);
      return matching.length > 0;
    });
    return (this.match.length === 0 || included === true) && excluded !== true;
  }

  /** Prints each pattern that matched no record. Throws if no `match` pattern matched any. */
  reportUnused(print: (line: string) => void): void {
    const notes = [...this.unused].map(
      ({ place, text }) => `${place} ${JSON.stringify(text)} matches no record`,
    );
    if (this.match.length > 0 && this.match.every((each) => this.unused.has(each)))
      throw new CommandFailure(
        `Nothing to import: ${notes.join("; ")}`,
        "Give domains and names as the service shows them; * matches any text",
      );
    for (const note of notes) print(`${note}.`);
  }
}

/** The domains, names and globs in a file, one per line; blank lines and lines that begin with `#` are ignored. */
function readPatterns(file: string): Pattern[] {
  const lines = parseFile(file, (text) => text.split(/\r?\n/));
  const patterns = lines.flatMap((line, at) =>
    /^\s*(#|$)/.test(line) ? [] : [parsePattern(`${file}:${at + 1}`, line.trim())],
  );
  if (patterns.length > 0) return patterns;
  throw new CommandFailure(`${file} has no patterns`, "Write one domain, name or pattern on each line");
}

function parsePattern(place: string, text: string): Pattern {
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
