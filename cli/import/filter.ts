import { domainToASCII, domainToUnicode } from "node:url";
import picomatch from "picomatch";
import { CommandFailure } from "../failure";
import { readIfExists } from "./text-file";

/** A domain, a name or a glob, and where it was given. */
export interface Pattern {
  readonly text: string;
  /** Such as `--match` or `blog.txt:3`. */
  readonly place: string;
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
    // Every pattern is tried, so that unused ones are known.
    const [included, excluded] = [this.match, this.exclude].map(
      (patterns) => patterns.filter((each) => this.matchesPattern(each, key)).length > 0,
    );
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

  private matchesPattern(pattern: Pattern, key: string): boolean {
    const options = { nocase: true, dot: true, bash: true };
    const glob = pattern.text.normalize("NFC");
    const matches = [...spellingsOf(key)].some(
      (form) => form === glob || picomatch.isMatch(form, glob, options),
    );
    if (matches) this.unused.delete(pattern);
    return matches;
  }
}

/** A text as it is, and a domain also in its Unicode and ASCII forms. */
function spellingsOf(key: string): Set<string> {
  const forms = [key, domainToASCII(key), domainToUnicode(domainToASCII(key))];
  return new Set(forms.filter((form) => form !== "").map((form) => form.normalize("NFC")));
}

/** The patterns of an option. Throws a `CommandFailure` if one is invalid. */
export function parsePatterns(place: string, texts: readonly string[] = []): Pattern[] {
  return texts.map((text) => validatePattern({ place, text: text.trim() }));
}

/** The domains, names and globs in a file, one per line; blank lines and lines that begin with `#` are ignored. */
export function readPatterns(file: string): Pattern[] {
  const text = readIfExists(file);
  if (text === undefined)
    throw new CommandFailure(
      `${file} does not exist`,
      "Give --from a file with one domain, name or pattern on each line",
    );
  const patterns = text
    .split(/\r?\n/)
    .map((line, at) => ({ text: line.trim(), place: `${file}:${at + 1}` }))
    .filter((each) => each.text !== "" && !each.text.startsWith("#"));
  if (patterns.length > 0) return patterns.map(validatePattern);
  throw new CommandFailure(`${file} has no patterns`, "Write one domain, name or pattern on each line");
}

/** An unclosed bracket would be taken literally, and match nothing. */
function validatePattern(pattern: Pattern): Pattern {
  const { place, text } = pattern;
  const plain = text.replace(/\\./g, "").replace(/\[[^\]]+\]/g, "");
  const open = ["[", "{", "("].find(
    (bracket) =>
      plain.split(bracket).length !== plain.split({ "[": "]", "{": "}", "(": ")" }[bracket] ?? "").length,
  );
  if (text !== "" && open === undefined) return pattern;
  throw new CommandFailure(
    text === ""
      ? `${place} is empty`
      : `${place} ${JSON.stringify(text)} is not a valid pattern: "${open}" is not closed`,
    `Write * for any text, ? for one character, and \\${open ?? "["} for a bracket itself`,
  );
}
