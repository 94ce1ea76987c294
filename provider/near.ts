import type * as levenshtein from "fastest-levenshtein";

/** A question, where a mistyped name is close to one that there is: `; did you mean "privacy"?` */
export function near(name: string, names: Iterable<string>, what = ""): string {
  // Loaded with the first mistake.
  const { distance }: typeof levenshtein = require("fastest-levenshtein");
  const ranked = [...names]
    .map((each) => ({ each, far: distance(name.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, far }) => far <= Math.ceil(Math.min(name.length, each.length) / 3))
    .sort((a, b) => a.far - b.far);
  const [best] = ranked;
  return best === undefined ? "" : `; did you mean ${what}${JSON.stringify(best.each)}?`;
}
