import { sanitize } from "./api/redact";

/** What a file of declarations says of a resource's doubtful values, in case `check` refuses them. */
export interface FileLines {
  /** By what `check` says: the line of the file that says the same with its place. */
  readonly lines?: Readonly<Record<string, string>>;
  /** These lines for all resources of the file. */
  readonly others?: readonly string[];
}

/**
 * The reasons of a refusal, by their lines in the file. The engine stops at the first refused resource, so that the last
 * one also has the lines of the others: a file can be corrected at once.
 */
export function reasonsFor(
  refusals: readonly string[],
  { lines = {}, others = [] }: FileLines = {},
): string[] {
  const reasons = refusals.map((each) => sanitize(lines[each] ?? each));
  const own = Object.values(lines);
  const more = others.filter((each) => !own.includes(each)).map(sanitize);
  if (more.length > 0 && refusals.some((each) => Object.hasOwn(lines, each)))
    reasons.push(["also refused, unless its record has the value already:", ...more].join("\n"));
  return reasons;
}
