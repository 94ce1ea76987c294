import { domainToASCII, domainToUnicode } from "node:url";
import picomatch from "picomatch";
import { CommandFailure } from "./failure";
import { parseFile } from "./pulumi/project";

/** Texts with these match more than themselves. */
const GLOB = /[*?[\](){}!+@\\|]/;

/** Domains, names and globs, whatever their case; a domain in its ASCII or its Unicode form. */
export class Patterns {
  /** Those that match only themselves, so that a long file costs a record no more than a short one. */
  private readonly keys = new Set<string>();
  private readonly globs: ((key: string) => boolean)[] = [];

  /**
   * Those of an option and of a file, one per line; blank lines and lines that begin with `#` are ignored. Throws a
   * `CommandFailure` if one is invalid.
   */
  constructor(option: string, texts: readonly string[], file?: string) {
    for (const text of texts) this.add(option, text);
    const lines = file === undefined ? [] : parseFile(file, (text) => text.split(/\r?\n/));
    for (const [at, line] of lines.entries())
      if (!/^\s*(#|$)/.test(line)) this.add(`${file}:${at + 1}`, line);
  }

  match(key: string): boolean {
    const forms = [key, domainToASCII(key), domainToUnicode(domainToASCII(key))].map(folded).filter(Boolean);
    return forms.some((form) => this.keys.has(form) || this.globs.some((isMatch) => isMatch(form)));
  }

  private add(place: string, text: string): void {
    const glob = folded(text);
    try {
      const isMatch = picomatch(glob, { dot: true, bash: true, strictBrackets: true });
      if (GLOB.test(glob)) this.globs.push((key) => isMatch(key));
      else this.keys.add(glob);
    } catch (error) {
      const why = error instanceof Error ? error.message : error;
      const remedy = "Write * for any text, and ? for one character";
      throw new CommandFailure(`${place} ${JSON.stringify(text)} is not a valid pattern: ${why}`, remedy);
    }
  }
}

function folded(text: string): string {
  return text.trim().normalize("NFC").toLowerCase();
}
