import type * as levenshtein from "fastest-levenshtein";

/** A question, where a mistyped name is close to one that there is: `; did you mean "privacy"?` */
export function suggest(name: string, names: Iterable<string>, what = ""): string {
  const best = closest(name, names);
  return best === undefined ? "" : `; did you mean ${what}${JSON.stringify(best)}?`;
}

/** The one of these names that a mistyped one is close to. */
export function closest(name: string, names: Iterable<string>): string | undefined {
  // Loaded with the first mistake.
  const { distance }: typeof levenshtein = require("fastest-levenshtein");
  const ranked = [...names]
    .map((each) => ({ each, far: distance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, far }) => far <= Math.ceil(Math.min(name.length, each.length) / 3))
    .sort((a, b) => a.far - b.far);
  return ranked[0]?.each;
}
