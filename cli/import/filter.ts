import { enumerate } from "../alike";
import { CommandFailure } from "../failure";
import { Patterns } from "../patterns";
import type { ImportOptions } from "./run";

/**
 * Selects records by domain or name. `reportUnused` prints each pattern that matched none, and throws if no pattern of
 * `--match` and `--from` did. Throws a `CommandFailure` if a pattern is invalid.
 */
export function createFilter({ match = [], exclude = [], from }: ImportOptions) {
  const included = new Patterns("--match", match, from);
  const excluded = new Patterns("--exclude", exclude);
  if (from !== undefined && included.size === 0)
    throw new CommandFailure(`${from} has no patterns`, "Write one domain, name or pattern on each line");
  return {
    matches(key: string): boolean {
      const [isIncluded, isExcluded] = [included.match(key), excluded.match(key)];
      return (included.size === 0 || isIncluded) && !isExcluded;
    },
    reportUnused(print: (line: string) => void): void {
      const unused = [...included.unused, ...excluded.unused];
      if (unused.length === 0) return;
      if (included.size > 0 && included.unused.size === included.size)
        throw new CommandFailure(
          `Nothing to import: no record matches ${enumerate(unused)}`,
          "Give domains and names as the service shows them; * matches any text",
        );
      print(`No record matches ${enumerate(unused)}.`);
    },
  };
}
