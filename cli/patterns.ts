import { domainToASCII, domainToUnicode } from "node:url";
import picomatch from "picomatch";
import { groupsBy } from "./alike";
import { CommandFailure } from "./failure";
import { parseFile } from "./pulumi/project";

/** A domain, a name or a glob, and where it was given. */
interface Pattern {
  /** Such as `--match "*.example"` or `blog.txt:3 "*.example"`. */
  readonly label: string;
  /** In lower case. */
  readonly glob: string;
  matches(key: string): boolean;
}

/** Without these, a pattern matches only itself. */
const GLOB = /[*?[\](){}!+@\\|]/;

/** Patterns of domains and names, and which of them match nothing. */
export class Patterns {
  private readonly unused: Set<Pattern>;

  private readonly globs: readonly Pattern[];
  /** Those that match only themselves, by their text, so that a long file costs a record no more than a short one. */
  private readonly plain: ReadonlyMap<string, readonly Pattern[]>;

  private constructor(private readonly all: readonly Pattern[]) {
    this.unused = new Set(all);
    this.globs = all.filter(({ glob }) => GLOB.test(glob));
    const plain = groupsBy(all, ({ glob }) => (GLOB.test(glob) ? undefined : glob));
    this.plain = new Map(plain.map((group) => [group[0].glob, group]));
  }

  /**
   * Those of an option and of a file, one per line; blank lines and lines that begin with `#` are ignored. Throws a
   * `CommandFailure` if one is invalid.
   */
  static read(option: string, texts: readonly string[], file?: string): Patterns {
    const lines = file === undefined ? [] : parseFile(file, (text) => text.split(/\r?\n/));
    return new Patterns([
      ...texts.map((text) => parsePattern(option, text)),
      ...lines.flatMap((line, at) =>
        /^\s*(#|$)/.test(line) ? [] : parsePattern(`${file}:${at + 1}`, line.trim()),
      ),
    ]);
  }

  get size(): number {
    return this.all.length;
  }

  /** What to say of each pattern that has matched nothing. */
  get unusedNotes(): string[] {
    return [...this.unused].map(({ label }) => `${label} matches no record`);
  }

  /** Whether a pattern matches a domain or name; ignores case, and knows a domain by its ASCII and its Unicode form. */
  match(key: string): boolean {
    const forms = [key, domainToASCII(key), domainToUnicode(domainToASCII(key))]
      .filter((form) => form !== "")
      .map((form) => form.normalize("NFC"));
    // Every pattern is tried, so that unused ones are known.
    const matching = [
      ...forms.flatMap((form) => this.plain.get(form.toLowerCase()) ?? []),
      ...this.globs.filter((each) => forms.some((form) => each.matches(form))),
    ];
    for (const each of matching) this.unused.delete(each);
    return matching.length > 0;
  }
}

function parsePattern(place: string, text: string): Pattern {
  const glob = text.trim().normalize("NFC");
  const label = `${place} ${JSON.stringify(text)}`;
  try {
    const isMatch = picomatch(glob, { nocase: true, dot: true, bash: true, strictBrackets: true });
    return { label, glob: glob.toLowerCase(), matches: (key) => key === glob || isMatch(key) };
  } catch (error) {
    const why = error instanceof Error ? error.message : error;
    const remedy = "Write * for any text, and ? for one character";
    throw new CommandFailure(`${label} is not a valid pattern: ${why}`, remedy);
  }
}
