import { domainToASCII, domainToUnicode } from "node:url";
import picomatch from "picomatch";
import { enumerate } from "./alike";
import { CommandFailure } from "./failure";
import type { ImportOptions } from "./import/run";
import { parseFile } from "./pulumi/project";

/** Texts with these match more than themselves. */
const GLOB = /[*?[\](){}!+@\\|]/;

/** Domains, names and globs, whatever their case; a domain in its ASCII or its Unicode form. */
export class Patterns {
  /** Where those stand that have matched nothing: `--match "*.example"`, `blog.txt:3 "*.example"`. */
  readonly unused = new Set<string>();
  /** Where each stands, by its text, so that a long file costs a record no more than a short one. */
  readonly places = new Map<string, string>();
  private readonly globs: { readonly place: string; readonly isMatch: (key: string) => boolean }[] = [];

  /**
   * Those of an option and of a file, one per line; blank lines and lines that begin with `#` are ignored. Throws a
   * `CommandFailure` if one is empty.
   */
  constructor(option: string, texts: readonly string[], file?: string) {
    for (const text of texts) this.add(option, text);
    const lines = file === undefined ? [] : parseFile(file, (text) => text.split(/\r?\n/));
    for (const [at, line] of lines.entries())
      if (!/^\s*(#|$)/.test(line)) this.add(`${file}:${at + 1}`, line.trim());
  }

  match(key: string): boolean {
    const forms = [key, domainToASCII(key), domainToUnicode(domainToASCII(key))].map(folded).filter(Boolean);
    // Every pattern is tried, so that unused ones are known.
    const matching = [
      ...forms.map((form) => this.places.get(form)),
      ...this.globs.filter(({ isMatch }) => forms.some((form) => isMatch(form))).map(({ place }) => place),
    ].filter((place) => place !== undefined);
    for (const place of matching) this.unused.delete(place);
    return matching.length > 0;
  }

  private add(option: string, text: string): void {
    const place = `${option} ${JSON.stringify(text)}`;
    const glob = folded(text);
    if (glob === "")
      throw new CommandFailure(`${place} is empty`, "Write a domain or a name; * matches any text");
    if (this.places.has(glob)) return;
    if (GLOB.test(glob)) this.globs.push({ place, isMatch: picomatch(glob, { dot: true, bash: true }) });
    this.places.set(glob, place);
    this.unused.add(place);
  }
}

/**
 * Selects records by domain or name. `reportUnused` prints each pattern that matched none, and throws if no pattern of
 * `--match` and `--from` did. Throws a `CommandFailure` if a pattern is empty.
 */
export function createFilter({ match = [], exclude = [], from }: ImportOptions) {
  const included = new Patterns("--match", match, from);
  const excluded = new Patterns("--exclude", exclude);
  if (from !== undefined && included.places.size === 0)
    throw new CommandFailure(`${from} has no patterns`, "Write one domain, name or pattern on each line");
  return {
    matches(key: string): boolean {
      const [isIncluded, isExcluded] = [included.match(key), excluded.match(key)];
      return (included.places.size === 0 || isIncluded) && !isExcluded;
    },
    reportUnused(print: (line: string) => void): void {
      const unused = [...included.unused, ...excluded.unused];
      if (unused.length === 0) return;
      if (included.places.size > 0 && included.unused.size === included.places.size)
        throw new CommandFailure(
          `Nothing to import: no record matches ${enumerate(unused)}`,
          "Give domains and names as the service shows them; * matches any text",
        );
      print(`No record matches ${enumerate(unused)}.`);
    },
  };
}

function folded(text: string): string {
  return text.trim().normalize("NFC").toLowerCase();
}
