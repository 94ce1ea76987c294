import type * as levenshtein from "fastest-levenshtein";

/** A question, if a mistyped name is close to an existing one: `; did you mean "privacy"?` */
export function suggest(name: string, names: Iterable<string>, what = ""): string {
  const best = closest(name, names);
  return best === undefined ? "" : `; did you mean ${what}${JSON.stringify(best)}?`;
}

/** The name that is closest to a mistyped one, if any is close. */
export function closest(name: string, names: Iterable<string>): string | undefined {
  // Loaded with the first mistake.
  const { distance }: typeof levenshtein = require("fastest-levenshtein");
  const ranked = [...names]
    .map((each) => ({ each, far: distance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, far }) => far <= Math.ceil(Math.min(name.length, each.length) / 3))
    .sort((a, b) => a.far - b.far);
  return ranked[0]?.each;
}
