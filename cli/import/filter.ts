import { CommandFailure } from "../failure";
import { Patterns } from "../patterns";
import type { ImportOptions } from "./run";

/**
 * Selects records by domain or name. `reportUnused` prints each pattern that matched none, and throws if no pattern of
 * `--match` and `--from` did. Throws a `CommandFailure` if a pattern is invalid.
 */
export function createFilter({ match = [], exclude = [], from }: ImportOptions) {
  const included = Patterns.read("--match", match, from);
  const excluded = Patterns.read("--exclude", exclude);
  if (from !== undefined && included.size === match.length)
    throw new CommandFailure(`${from} has no patterns`, "Write one domain, name or pattern on each line");
  return {
    matches(key: string): boolean {
      const [isIncluded, isExcluded] = [included.match(key), excluded.match(key)];
      return (included.size === 0 || isIncluded) && !isExcluded;
    },
    reportUnused(print: (line: string) => void): void {
      const notes = [...included.unusedNotes, ...excluded.unusedNotes];
      if (included.size > 0 && included.unusedNotes.length === included.size)
        throw new CommandFailure(
          `Nothing to import: ${notes.join("; ")}`,
          "Give domains and names as the service shows them; * matches any text",
        );
      for (const note of notes) print(`${note}.`);
    },
  };
}
