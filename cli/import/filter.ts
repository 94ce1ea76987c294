import { CommandFailure } from "../failure";
import { Patterns } from "../patterns";
import type { ImportOptions } from "./run";

/** Which records to import, by domain or name, and which patterns match none. */
export class Filter {
  private readonly included: Patterns;
  private readonly excluded: Patterns;

  /** Throws a `CommandFailure` if a pattern is invalid. */
  constructor({ match = [], exclude = [], from }: Pick<ImportOptions, "match" | "exclude" | "from">) {
    this.included = Patterns.read("--match", match, from);
    this.excluded = Patterns.read("--exclude", exclude);
    if (from !== undefined && this.included.size === match.length)
      throw new CommandFailure(`${from} has no patterns`, "Write one domain, name or pattern on each line");
  }

  /** Whether to import a domain or name. */
  matches(key: string): boolean {
    const [isIncluded, isExcluded] = [this.included.match(key), this.excluded.match(key)];
    return (this.included.size === 0 || isIncluded) && !isExcluded;
  }

  /** Prints each pattern that matched no record. Throws if no `match` pattern matched any. */
  reportUnused(print: (line: string) => void): void {
    const [included, excluded] = [this.included.unusedNotes, this.excluded.unusedNotes];
    if (included.length > 0 && included.length === this.included.size)
      throw new CommandFailure(
        `Nothing to import: ${[...included, ...excluded].join("; ")}`,
        "Give domains and names as the service shows them; * matches any text",
      );
    for (const note of [...included, ...excluded]) print(`${note}.`);
  }
}
