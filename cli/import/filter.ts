import { CommandFailure } from "../failure";
import { Patterns, parsePattern, readPatterns } from "../patterns";
import type { ImportOptions } from "./run";

/** Which records to import, by domain or name, and which patterns match none. */
export class Filter {
  private readonly included: Patterns;
  private readonly excluded: Patterns;

  /** Throws a `CommandFailure` if a pattern is invalid. */
  constructor({ match = [], exclude = [], from }: Pick<ImportOptions, "match" | "exclude" | "from">) {
    const listed = from === undefined ? [] : readPatterns(from);
    if (from !== undefined && listed.length === 0)
      throw new CommandFailure(`${from} has no patterns`, "Write one domain, name or pattern on each line");
    this.included = new Patterns([...match.map((each) => parsePattern("--match", each)), ...listed]);
    this.excluded = new Patterns(exclude.map((each) => parsePattern("--exclude", each)));
  }

  /** Whether to import a domain or name. */
  matches(key: string): boolean {
    const [isIncluded, isExcluded] = [this.included.match(key), this.excluded.match(key)];
    return (this.included.size === 0 || isIncluded) && !isExcluded;
  }

  /** Prints each pattern that matched no record. Throws if no `match` pattern matched any. */
  reportUnused(print: (line: string) => void): void {
    const notes = [...this.included.unused, ...this.excluded.unused].map(
      ({ place, text }) => `${place} ${JSON.stringify(text)} matches no record`,
    );
    if (this.included.size > 0 && this.included.unused.size === this.included.size)
      throw new CommandFailure(
        `Nothing to import: ${notes.join("; ")}`,
        "Give domains and names as the service shows them; * matches any text",
      );
    for (const note of notes) print(`${note}.`);
  }
}
