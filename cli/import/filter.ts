import { domainToASCII, domainToUnicode } from "node:url";
import picomatch from "picomatch";
import { CommandFailure } from "../failure";
import { parseFile } from "../pulumi/parse-file";

/** A domain, a name or a glob, and where it was given. */
export interface Pattern {
  readonly text: string;
  /** Such as `--match` or `blog.txt:3`. */
  readonly place: string;
  matches(key: string): boolean;
}

/** Which records to import, by domain or name, and which patterns match none. */
export class Filter {
  private readonly unused: Set<Pattern>;

  /**
   * @param match at least one must match; if empty, everything does
   * @param exclude none may match
   */
  constructor(
    private readonly match: readonly Pattern[],
    private readonly exclude: readonly Pattern[],
  ) {
    this.unused = new Set([...match, ...exclude]);
  }

  /** Whether to import a domain or name. Case makes no difference, nor does the form of a domain. */
  matches(key: string): boolean {
    const forms = spellingsOf(key);
    // Every pattern is tried, so that unused ones are known.
    const [included, excluded] = [this.match, this.exclude].map((patterns) => {
      const matching = patterns.filter((each) => forms.some((form) => each.matches(form)));
      for (const each of matching) this.unused.delete(each);
      return matching.length > 0;
    });
    return (this.match.length === 0 || included === true) && excluded !== true;
  }

  /** No `match` pattern matches anything. */
  get matchesNothing(): boolean {
    return this.match.length > 0 && this.match.every((each) => this.unused.has(each));
  }

  /** One clause for each pattern that matched no record. */
  get unusedPatterns(): readonly string[] {
    return [...this.unused].map(({ place, text }) => `${place} ${JSON.stringify(text)} matches no record`);
  }
}

/** A text as it is, and a domain also in its Unicode and ASCII forms. */
function spellingsOf(key: string): string[] {
  const forms = [key, domainToASCII(key), domainToUnicode(domainToASCII(key))];
  return forms.filter((form) => form !== "").map((form) => form.normalize("NFC"));
}

/** The domains, names and globs in a file, one per line; blank lines and lines that begin with `#` are ignored. */
export function readPatterns(file: string): Pattern[] {
  const patterns = String(parseFile(file, (text) => text))
    .split(/\r?\n/)
    .map((line, at) => ({ text: line.trim(), place: `${file}:${at + 1}` }))
    .filter(({ text }) => text !== "" && !text.startsWith("#"));
  if (patterns.length > 0) return patterns.map(({ text, place }) => parsePattern(place, text));
  throw new CommandFailure(`${file} has no patterns`, "Write one domain, name or pattern on each line");
}

/** The pattern in an option or a line. Throws a `CommandFailure` if it is invalid. */
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
