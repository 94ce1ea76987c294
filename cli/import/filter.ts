import { readFile } from "node:fs/promises";
import { domainToASCII } from "node:url";
import picomatch from "picomatch";
import { CommandFailure } from "../failure";

/** Which records are wanted, by domain or name. */
export interface Filter {
  /** Globs, one of which must fit; none: all. */
  readonly match: readonly string[];
  /** Globs, none of which may fit. */
  readonly exclude: readonly string[];
}

/** Whether a domain or name is wanted. Case makes no difference, and a domain may be in its IDN form. */
export function wants({ match, exclude }: Filter): (key: string) => boolean {
  const options = { nocase: true, dot: true, bash: true };
  const fits = (globs: readonly string[]) => {
    const tests = globs.flatMap((glob) => [glob, domainToASCII(glob)]).filter((glob) => glob !== "");
    return (key: string) =>
      globs.includes(key) || (tests.length > 0 && picomatch.isMatch(key, tests, options));
  };
  const [included, excluded] = [fits(match), fits(exclude)];
  return (key) => (match.length === 0 || included(key)) && !excluded(key);
}

/** The domains, names and globs of a file, one a line; blank lines and those that begin with `#` are passed over. */
export async function patternsIn(file: string): Promise<string[]> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(
      `${file} can't be read (${error.code})`,
      "Give --from a file with one domain, name or pattern on each line.",
    );
  });
  const patterns = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  if (patterns.length > 0) return patterns;
  throw new CommandFailure(`${file} names nothing`, "Write one domain, name or pattern on each line.");
}
