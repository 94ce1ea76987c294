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

/** Which records are wanted, by domain or name, and which of the patterns fit none. */
export class Filter {
  private readonly unused: Set<Pattern>;

  /**
   * @param match one of these has to fit; none: all are wanted
   * @param exclude none of these may fit
   */
  constructor(
    private readonly match: readonly Pattern[],
    private readonly exclude: readonly Pattern[],
  ) {
    this.unused = new Set([...match, ...exclude]);
  }

  /** Whether a domain or name is wanted. Case makes no difference, nor does the form of a domain. */
  matches(key: string): boolean {
    // Every pattern is tried, so that one without a hit is known.
    const [included, excluded] = [this.match, this.exclude].map(
      (patterns) => patterns.filter((each) => this.matchesPattern(each, key)).length > 0,
    );
    return (this.match.length === 0 || included === true) && excluded !== true;
  }

  /** No domain or name that was asked for is there. */
  get matchesNothing(): boolean {
    return this.match.length > 0 && this.match.every((each) => this.unused.has(each));
  }

  /** One line for each pattern that fitted no record that was seen. */
  get unusedPatterns(): readonly string[] {
    return [...this.unused].map(({ place, text }) => `${place} ${JSON.stringify(text)} fits no record`);
  }

  private matchesPattern(pattern: Pattern, key: string): boolean {
    const options = { nocase: true, dot: true, bash: true };
    const glob = pattern.text.normalize("NFC");
    const fits = [...spellingsOf(key)].some(
      (form) => form === glob || picomatch.isMatch(form, glob, options),
    );
    if (fits) this.unused.delete(pattern);
    return fits;
  }
}

/** A text as it is, and where it is a domain both as people write it and as it travels. */
function spellingsOf(key: string): Set<string> {
  const forms = [key, domainToASCII(key), domainToUnicode(domainToASCII(key))];
  return new Set(forms.filter((form) => form !== "").map((form) => form.normalize("NFC")));
}

/** The patterns of an option. Throws a `CommandFailure` where one is none. */
export function parsePatterns(place: string, texts: readonly string[] = []): Pattern[] {
  return texts.map((text) => validatePattern({ place, text: text.trim() }));
}

/** The domains, names and globs of a file, one a line; blank lines and those that begin with `#` are passed over. */
export function readPatterns(file: string): Pattern[] {
  const text = readIfExists(file);
  if (text === undefined)
    throw new CommandFailure(
      `${file} is not there`,
      "Give --from a file with one domain, name or pattern on each line.",
    );
  const patterns = text
    .split(/\r?\n/)
    .map((line, at) => ({ text: line.trim(), place: `${file}:${at + 1}` }))
    .filter((each) => each.text !== "" && !each.text.startsWith("#"));
  if (patterns.length > 0) return patterns.map(validatePattern);
  throw new CommandFailure(`${file} names nothing`, "Write one domain, name or pattern on each line.");
}

/** A bracket that is never closed would be taken for itself, and fit nothing. */
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
      : `${place} ${JSON.stringify(text)} is no pattern: its brackets "${open}" are not in pairs`,
    `Write * for any text, ? for one character, and \\${open ?? "["} for a bracket itself.`,
  );
}
