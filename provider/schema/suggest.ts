import type * as levenshtein from "fastest-levenshtein";

/** A question, if a mistyped name is close to an existing one: `; did you mean "privacy"?` */
export function suggest(name: string, names: Iterable<string>, what = ""): string {
  const best = closest(name, names);
  return best === undefined ? "" : `; did you mean ${what}${JSON.stringify(best)}?`;
}

/** The name that is closest to a mistyped one, if any is close. A file may have thousands of both. */
export function closest(name: string, names: Iterable<string>): string | undefined {
  // Loaded with the first mistake.
  const { distance }: typeof levenshtein = require("fastest-levenshtein");
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const each of names) {
    const most = Math.min(Math.ceil(Math.min(name.length, each.length) / 3), least - 1);
    // So much longer or shorter, it can't be as close.
    if (Math.abs(name.length - each.length) > most) continue;
    const far = distance(wanted, each.toLowerCase());
    if (far <= most) [best, least] = [each, far];
  }
  return best;
}
